// A channel is tested as it would be kept, before it is: nothing is written, switched or charged by it, and a key that is
// kept goes nowhere else.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../core/auth/caller.ts'
import type { GatewayError } from '../../../core/errors.ts'
import type { Channel } from '../../../core/channels/channel.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'
import { refusal as refused, whole } from '../../support/memory-upstream.ts'

let gateway: MemoryGateway
let admin: Caller
beforeEach(async () => {
  gateway = await openMemoryGateway()
  admin = await gateway.as('admin')
  const root = await gateway.as('root')
  for (const key of ['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled'])
    await gateway.ask(root, 'settings.update', { key, value: 'true' })
  gateway.upstream.reply(whole('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
})
afterEach(() => gateway.close())

const form = { name: 'main', type: 1, key: 'kept-key-0', models: 'gpt-4o', base_url: 'http://kept.test' }
const attempt = (input: object) => gateway.ask(admin, 'channels.try', { ...input })
const refusal = (input: object) => gateway.refusal(admin, 'channels.try', { ...input })
const asked = () =>
  gateway.upstream.requests.map(({ url, headers, body }) => [
    new URL(url).host,
    headers.authorization,
    (JSON.parse(new TextDecoder().decode(body)) as { model: string }).model,
  ])

/** Everything that could have been written. */
const everything = async () => {
  const { storage } = gateway
  return JSON.stringify([
    await storage.channels.all(),
    await storage.channelTests.last(),
    await storage.logs.list({}, { offset: 0, limit: 50 }),
    (
      await storage.audit.list(
        { action: '', target: '', user_id: 0, start_timestamp: 0, end_timestamp: 0 },
        { offset: 0, limit: 50 },
      )
    ).total,
  ])
}

describe('a channel that nobody has kept', () => {
  test('is asked with what its form says, for the model that is named', async () => {
    const before = await everything()
    expect(await attempt({ ...form, models: 'o3,gpt-4o', model: 'gpt-4o' })).toEqual({ data: null, time: 0, keys: [] })
    await attempt({ ...form, model_mapping: '{"gpt-4o": "inner"}' })
    expect(asked()).toEqual([
      ['kept.test', 'Bearer kept-key-0', 'gpt-4o'],
      ['kept.test', 'Bearer kept-key-0', 'inner'],
    ])
    expect(await everything()).toBe(before)
  })

  test('is refused as it would be when it is kept, and says what the provider said', async () => {
    expect(await refusal({ ...form, key: '' })).toBe('channel.name_key')
    expect(await refusal({ ...form, models: '' })).toBe('channel.no_models')
    expect(await refusal({ ...form, base_url: 'file:///etc/passwd' })).toBe('field.address')
    expect(gateway.upstream.requests).toEqual([])
    gateway.upstream.reply(refused(401, 'wrong key kept-key-0'))
    const error = await attempt(form).catch((failure: Error) => failure)
    expect(String(error)).toContain('status code 401')
    expect(String(error)).not.toContain('kept-key-0')
  })

  test('with several keys says of each what came of it, by its ends', async () => {
    const keys = ['aaa', 'bbb', 'ccc'].map((end) => `sk-key-0123456789-${end}`)
    gateway.upstream.reply(({ headers }) =>
      String(headers.authorization).endsWith('bbb')
        ? refused(401, 'bad', 'invalid_api_key')
        : whole('Hello', { prompt_tokens: 1, completion_tokens: 1 }),
    )
    const told = [
      { key: 'sk-***aaa', passed: true, ms: 0, status: 0, error: '' },
      { key: 'sk-***bbb', passed: false, ms: 0, status: 401, error: expect.stringContaining('bad') },
      { key: 'sk-***ccc', passed: true, ms: 0, status: 0, error: '' },
    ]
    // In one channel, or in one each.
    for (const key_mode of ['turn', ''])
      expect(await attempt({ ...form, key: keys.join('\n'), key_mode })).toEqual({ data: null, time: 0, keys: told })
  })

  test('says by what it failed, and of which field that speaks where all keys say the same', async () => {
    const failure = (input: object) =>
      attempt(input).then(
        () => undefined,
        ({ code, field, replyFields: beside }: GatewayError) => ({ code, field, kind: beside?.kind }),
      )
    const several = { ...form, key: 'key-one\nkey-two', key_mode: 'turn' }
    gateway.upstream.reply(refused(401, 'wrong key'))
    expect(await failure(several)).toEqual({ code: 'channel.test_failed', field: 'key', kind: 'key' })
    gateway.upstream.reply(refused(429, 'slow down'))
    expect(await failure(form)).toEqual({ code: 'channel.test_failed', field: undefined, kind: 'limit' })
    gateway.upstream.reply(({ headers }) =>
      String(headers.authorization).endsWith('one') ? refused(401, 'wrong key') : refused(500, 'broken'),
    )
    expect(await failure(several)).toMatchObject({ field: undefined, kind: 'key' })
  })

  test('is for administrators', async () => {
    expect(await gateway.refusal(await gateway.as('user'), 'channels.try', form)).toBe('access.forbidden')
  })
})

describe('a change of a channel', () => {
  let id: number
  beforeEach(async () => {
    const made = (await gateway.ask(admin, 'channels.create', { ...form })) as Channel[]
    id = made[0]!.id
  })

  test('is tried with the key that is kept, and leaves everything as it was', async () => {
    const before = await everything()
    await attempt({ id, model_mapping: '{"gpt-4o": "inner"}' })
    await attempt({ id, key: 'another-key' })
    gateway.upstream.reply(refused(401, 'bad', 'invalid_api_key'))
    expect(await refusal({ id })).toBe('channel.test_failed')
    expect(asked()).toEqual([
      ['kept.test', 'Bearer kept-key-0', 'inner'],
      ['kept.test', 'Bearer another-key', 'gpt-4o'],
      ['kept.test', 'Bearer kept-key-0', 'gpt-4o'],
    ])
    // A key that fails switches nothing off.
    expect(await everything()).toBe(before)
  })

  test('sends the kept key nowhere else', async () => {
    for (const change of [
      { base_url: 'http://elsewhere.test' },
      { type: 14 },
      { setting: '{"proxy": "http://elsewhere.test"}' },
      { setting: '{"headers": {"X-Team": "elsewhere"}}' },
    ])
      expect(await refusal({ id, ...change })).toBe('channel.key_again')
    expect(gateway.upstream.requests).toEqual([])
    expect(await refusal({ id: 99 })).toBe('channel.missing')
  })
})
