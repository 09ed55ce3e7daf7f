// The attempts of a call, as a log row shows them to administrators.
import { afterEach, expect, test } from 'vitest'
import { parseCallDetail } from '../../../core/calls/detail.ts'
import { withoutAdminInfo } from '../../../core/logs/log.ts'
import { buildCallRow } from '../../../core/logs/call-row.ts'
import type { CallRecord } from '../../../core/calls/call-record.ts'
import { refusal, whole } from '../../support/memory-upstream.ts'
import { openRelay, type Relayed } from './calls.ts'

const USAGE = { prompt_tokens: 100, completion_tokens: 50 }
const KEYS = 'sk-first-key-of-two\nsk-second-key-of-two'

let relay: Relayed | undefined
const heard: CallRecord[] = []
const sinks = [{ name: 'kept', take: (records: readonly CallRecord[]) => void heard.push(...records) }]
afterEach(async () => {
  heard.length = 0
  await relay?.gateway.close()
  relay = undefined
})

const triedIn = async ({ logs }: Relayed) =>
  (await logs()).map(({ other }) => parseCallDetail(other).admin_info?.attempts)

test('a call that is answered at once has one, with its times', async () => {
  relay = await openRelay({ channels: [{ model_mapping: '{"gpt-4o": "their-gpt"}' }] })
  const { gateway } = relay
  gateway.upstream.reply(async () => {
    await gateway.clock.advance(40)
    return whole('Hello', USAGE)
  })
  await relay.run()
  expect(await triedIn(relay)).toEqual([
    [{ channel: 1, served: undefined, model: 'their-gpt', at: 0, ms: 40, first_ms: 40, result: 'answered' }],
  ])
})

test('keys, channels and models are told in the order of trying, each with when, how long and why not', async () => {
  relay = await openRelay({
    channels: [{ key: KEYS, key_mode: 'polling' }, {}, { models: 'cheap' }],
    sinks,
  })
  const { gateway, caller } = relay
  await gateway.ask(await gateway.as('root'), 'settings.update', {
    options: [{ key: 'ModelRatio', value: '{"gpt-4o": 1, "cheap": 1}' }],
  })
  caller.token = { ...caller.token!, fallback_models: 'cheap' }
  gateway.upstream.reply(async ({ host }, turn) => {
    await gateway.clock.advance(10 * (turn + 1))
    if (host === 'p3.test') return whole('Hello', USAGE)
    return turn < 2 ? refusal(401, 'no such key: sk-first-key-of-two') : refusal(500, 'x'.repeat(1000))
  })
  await relay.run()
  const [tries] = await triedIn(relay)
  expect(tries).toMatchObject([
    { channel: 1, key_index: 0, served: 'gpt-4o', at: 0, ms: 10, result: 'failed', status: 401, next: 'key' },
    { channel: 1, key_index: 1, at: 10, ms: 20, result: 'failed', status: 401, next: 'channel' },
    { channel: 2, at: 30, ms: 30, result: 'failed', status: 500, next: 'model' },
    { channel: 3, model: 'cheap', at: 60, ms: 40, first_ms: 40, result: 'answered' },
  ])
  expect(tries?.[0]?.why).toBe('no such key: [key]')
  expect(tries?.[2]?.why).toHaveLength(300)
  expect(tries?.[2]).not.toHaveProperty('key_index')
  // Nobody but an administrator sees any of it.
  const { items } = await gateway.storage.logs.list({ type: 2 }, { offset: 0, limit: 1 })
  expect(JSON.stringify(withoutAdminInfo(items[0]!))).not.toMatch(/attempts|no such key/)
})

test('of a plain call the row grows by less than a hundred characters', async () => {
  relay = await openRelay({ sinks })
  relay.gateway.upstream.reply(whole('Hello', USAGE))
  await relay.run()
  await expect.poll(() => heard.length).toBe(1)
  const { attempts } = parseCallDetail(buildCallRow(heard[0]!).other).admin_info!
  expect(JSON.stringify(attempts).length).toBeLessThan(100)
})

test('rows of earlier versions, and those nobody can read, have none', () => {
  for (const attempts of ['', ',"attempts":[{"channel":"x"}]', ',"attempts":7'])
    expect(parseCallDetail(`{"admin_info":{"use_channel":["3"]${attempts}}}`).admin_info).toMatchObject({
      use_channel: ['3'],
    })
})
