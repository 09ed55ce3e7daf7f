// One channel with several keys, the automatic disabling and enabling of channels, and the notices about it.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { getKeyFingerprint } from '../../../core/channels/keys.ts'
import type { Channel } from '../../../core/channels/channel.ts'
import { refusal, whole } from '../../support/memory-upstream.ts'
import { MODEL, openRelay, type Relayed } from '../relay/calls.ts'

const opened: Relayed[] = []
async function open(settings: Record<string, unknown> = {}) {
  const relay = await openRelay({ channels: [] })
  opened.push(relay)
  const { gateway } = relay
  const root = await gateway.as('root')
  const ask = <T = Channel>(name: string, input: object = {}) =>
    gateway.ask(root, name, input as Record<string, unknown>) as Promise<T>
  for (const [key, value] of Object.entries(settings)) await ask('settings.update', { key, value: String(value) })
  const add = async (fields: object = {}) => {
    const form = { name: 'one', key: 'key-aaaa\nkey-bbbb\nkey-cccc', base_url: 'http://p.test', models: MODEL }
    const made = await ask<Channel[]>('channels.create', { ...form, key_mode: 'turn', ...fields })
    return made[0] as Channel
  }
  const notices = async () => {
    const { items } = await gateway.storage.logs.list({ user_id: root.user?.id, type: 4 }, { offset: 0, limit: 20 })
    return items.filter(({ other }) => other.includes('notice')).map(({ content }) => content)
  }
  const keys = () =>
    gateway.upstream.requests.map(({ headers }) => (headers.authorization ?? '').replace('Bearer ', ''))
  return { ...relay, ask, add, notices, keys }
}
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.close()
})
const bad = () => refusal(401, 'bad key', 'invalid_api_key')
const infoOf = ({ other_info }: Channel) => JSON.parse(other_info || '{}') as Record<string, Record<string, unknown>>
const ON = { AutomaticDisableChannelEnabled: true }

describe('a channel with several keys', () => {
  test('is one channel; without the mode each line becomes one', async () => {
    const { ask, add } = await open()
    const made = await add({ key: ' a-key \n\nb-key\na-key\n' })
    expect(made).toMatchObject({ id: 1, key_mode: 'turn' })
    await add({ key: 'a-key\nb-key', key_mode: '' })
    expect((await ask<{ data: Channel[] }>('channels.list')).data).toHaveLength(3)
    await add({ key: '{"a":\n1}', key_mode: '', type: 1 })
    expect((await ask<{ data: Channel[] }>('channels.list')).data.length).toBe(5)
  })

  test('uses its keys in turn, and leaves a failing one alone while another works', async () => {
    const { gateway, run, add, keys } = await open()
    await add()
    gateway.upstream.reply(({ headers }) =>
      headers.authorization?.includes('bbbb')
        ? { ...refusal(429), headers: { 'retry-after': '60' } }
        : whole('Hello', { prompt_tokens: 1 }),
    )
    for (let round = 0; round < 6; round++) expect((await run()).error).toBeUndefined()
    expect(keys().filter((key) => key === 'key-bbbb')).toHaveLength(1)
    expect(new Set(keys()).size).toBe(3)
  })

  test('switches a refused key off alone, says so, and enables it again', async () => {
    const { gateway, run, ask, add, keys, notices } = await open(ON)
    const { id } = await add()
    gateway.upstream.reply(({ headers }) => (headers.authorization?.includes('aaaa') ? bad() : whole('Hello')))
    expect((await run()).error).toBeUndefined()
    const print = getKeyFingerprint('key-aaaa')
    await vi.waitFor(async () =>
      expect(infoOf(await ask('channels.get', { id }))).toMatchObject({
        keys_off: { [print]: { reason: 'status code 401: bad key' } },
      }),
    )
    expect(await ask('channels.get', { id })).toMatchObject({ status: 1 })
    await vi.waitFor(async () => expect(await notices()).toHaveLength(1))
    expect((await notices())[0]).toContain('2 work')
    gateway.upstream.requests.length = 0
    for (let round = 0; round < 6; round++) await run()
    expect(keys()).not.toContain('key-aaaa')
    await ask('channels.update', { id, key_on: print })
    expect(infoOf(await ask('channels.get', { id }))).toEqual({})
    gateway.upstream.reply(() => whole('Hello'))
    for (let round = 0; round < 3; round++) await run()
    expect(keys()).toContain('key-aaaa')
  })

  test('goes off when all its keys are, and on again by hand with all of them', async () => {
    const { gateway, run, ask, add } = await open(ON)
    const { id } = await add({ name: 'all bad' })
    gateway.upstream.reply(bad)
    expect((await run()).error).toMatchObject({ failure: { status: 401 } })
    await vi.waitFor(async () => expect(await ask('channels.get', { id })).toMatchObject({ status: 3 }))
    const info = infoOf(await ask('channels.get', { id }))
    expect(Object.keys(info.keys_off ?? {})).toHaveLength(3)
    expect(info).toMatchObject({ status_reason: 'status code 401: bad key' })
    expect(await ask('channels.update', { id, status: 1 })).toMatchObject({ status: 1, other_info: '' })
    gateway.upstream.reply(() => whole('Hello'))
    expect((await run()).error).toBeUndefined()
  })

  test('is newer after every change of its keys themselves, so that no form that was read before replaces them', async () => {
    const { ask, add } = await open()
    const { id, version } = await add({ key: 'key-aaaa', key_mode: '' })
    const current = async () => (await ask('channels.get', { id })).version
    const prints = ['key-aaaa', 'key-bbbb'].map(getKeyFingerprint)
    await ask('channels.addKeys', { id, key: 'key-bbbb' })
    expect(await current()).toBe(version + 1)
    // A key that it has changes nothing, and a switch does not change the keys.
    await ask('channels.addKeys', { id, key: 'key-bbbb' })
    for (const action of ['disable', 'enable']) await ask('channels.manageKeys', { id, keys: [prints[0]], action })
    expect(await current()).toBe(version + 1)
    await ask('channels.manageKeys', { id, keys: [prints[0]], action: 'remove' })
    expect(await current()).toBe(version + 2)
    const stale = ask('channels.addKeys', { id, key: 'key-cccc', version: version + 1 })
    await expect(stale).rejects.toMatchObject({ code: 'edit.conflict' })
  })

  test('shows none of its keys to a caller, whichever a provider quotes', async () => {
    const { gateway, run, add } = await open()
    await add()
    gateway.upstream.reply(({ headers }) => refusal(400, `bad ${headers.authorization} and key-bbbb`))
    expect(JSON.stringify((await run()).error)).not.toMatch(/key-aaaa/)
  })
})

describe('tests of channels', () => {
  const failed = { ...ON, AutomaticEnableChannelEnabled: true }

  test('on the timer bring back what has switched itself off, and tell the super administrator', async () => {
    const { gateway, run, ask, add, notices } = await open({ ...failed, 'channels.test_minutes': 10 })
    const { id } = await add({ key: 'key-aaaa', key_mode: '' })
    const off = await add({ key: 'key-dddd', key_mode: '', name: 'by hand' })
    await ask('channels.update', { id: off.id, status: 2 })
    gateway.upstream.reply(bad)
    await run()
    await vi.waitFor(async () => expect(await ask('channels.get', { id })).toMatchObject({ status: 3 }))
    gateway.upstream.reply(() => whole('Hello'))
    for (let minute = 0; minute < 9; minute++) gateway.clock.advance(60_000)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(await ask('channels.get', { id })).toMatchObject({ status: 3 })
    gateway.clock.advance(60_000)
    await vi.waitFor(async () => expect(await ask('channels.get', { id })).toMatchObject({ status: 1, other_info: '' }))
    await vi.waitFor(async () => expect(await notices()).toHaveLength(2))
    expect((await notices())[0]).toContain('was enabled')
    expect(await ask('channels.get', { id: off.id })).toMatchObject({ status: 2 })
  })

  test('by hand enable only where the setting says so, and only what has switched itself off', async () => {
    const { gateway, ask, add } = await open(ON)
    const { id } = await add({ key: 'key-aaaa', key_mode: '' })
    gateway.upstream.reply(() => whole('Hello'))
    await gateway.storage.channels.update(id, { status: 3 })
    await ask('channels.test', { id })
    expect(await ask('channels.get', { id })).toMatchObject({ status: 3 })
    await ask('settings.update', { key: 'AutomaticEnableChannelEnabled', value: 'true' })
    await ask('channels.update', { id, status: 2 })
    await ask('channels.test', { id })
    expect(await ask('channels.get', { id })).toMatchObject({ status: 2 })
    await gateway.storage.channels.update(id, { status: 3 })
    await ask('channels.test', { id })
    expect(await ask('channels.get', { id })).toMatchObject({ status: 1 })
  })

  test.each([
    [{ ...ON }, {}, 3],
    [{}, {}, 1],
    [{ ...ON }, { auto_ban: 0 }, 1],
    [{ ...ON, ChannelDisableThreshold: 0 }, {}, 1],
  ])('that are slow disable a channel only where everything says so: %j %j', async (settings, fields, status) => {
    const { gateway, ask, add } = await open(settings)
    const { id } = await add({ key: 'key-aaaa', key_mode: '', ...fields })
    gateway.upstream.reply(() => {
      gateway.clock.advance(6_000)
      return whole('Hello')
    })
    await ask('channels.test', { id })
    const after = await ask('channels.get', { id })
    expect(after).toMatchObject({ status, response_time: 6000 })
    if (status === 3) expect(infoOf(after)).toMatchObject({ status_reason: 'a test took 6.00 s, longer than 5 s' })
  })
})

describe('an explained route', () => {
  test('names every channel, its chance and what keeps it out', async () => {
    const { gateway, run, ask, add } = await open({ FallbackModels: '{"default": {"gpt-4o": ["gpt-4o-mini"]}}' })
    const one = { key: 'key-aaaa', key_mode: '', priority: 5 }
    await add({ ...one, name: 'light' })
    await add({ ...one, name: 'heavy', weight: 20 })
    await add({ ...one, name: 'short', max_input_tokens: 50 })
    await add({ ...one, name: 'second', priority: 1 })
    const off = await add({ ...one, name: 'off' })
    await ask('channels.update', { id: off.id, status: 2 })
    const cooling = await add({ ...one, name: 'cooling', priority: 9 })
    gateway.upstream.reply((_, turn) =>
      turn === 0 ? { ...refusal(429), headers: { 'retry-after': '60' } } : whole('Hello'),
    )
    await run()
    interface Explained {
      group: string
      attempts: number
      fallbacks: unknown[]
      channels: {
        name: string
        share: number
        tier_share: number
        reason: string
        why: string
        taken: boolean
        tier: number
        id: number
      }[]
    }
    const explained = await ask<Explained>('channels.route', { model: MODEL, prompt_tokens: 100 })
    expect(explained).toMatchObject({ group: 'default', attempts: 3 })
    expect(explained.fallbacks).toEqual([{ model: 'gpt-4o-mini', channels: 0 }])
    expect(explained.channels.map(({ name, tier, share, why }) => [name, tier, share, why])).toEqual([
      ['cooling', 1, 0, 'cooling down: tried when no other is left'],
      ['light', 2, 0.25, 'tried first'],
      ['heavy', 2, 0.75, 'tried first'],
      ['short', 2, 0, 'accepts prompts of at most 50 tokens'],
      ['second', 3, 0, 'tried when every channel of a higher priority has failed'],
      ['off', 0, 0, 'switched off'],
    ])
    expect(explained.channels.map((row) => row.tier_share)).toEqual([0, 0.25, 0.75, 0, 1, 0])
    expect(explained.channels.map(({ reason }) => reason)).toEqual([
      'cooling',
      'first',
      'first',
      'prompt_too_long',
      'later',
      'off',
    ])
    expect(explained.channels.find(({ id }) => id === cooling.id)).toMatchObject({ taken: false })
    expect(await ask<Explained>('channels.route', { model: 'unknown' })).toMatchObject({ channels: [] })
    const without = explained.channels.filter(({ name }) => ['cooling', 'light', 'heavy'].includes(name))
    const what_if = { model: MODEL, prompt_tokens: 100, without: without.map(({ id }) => id).join(',') }
    const { channels } = await ask<Explained>('channels.route', what_if)
    expect(channels.map(({ name, tier, share, reason }) => [name, tier, share, reason])).toEqual([
      ['short', 1, 0, 'prompt_too_long'],
      ['second', 2, 1, 'first'],
      ['light', 0, 0, 'left_out'],
      ['heavy', 0, 0, 'left_out'],
      ['off', 0, 0, 'off'],
      ['cooling', 0, 0, 'left_out'],
    ])
  })

  test('gives the cause of a channel that disabled itself, and of no other', async () => {
    const { gateway, ask, add } = await open()
    const cases = [
      { status: 2, other_info: '', reason: 'off', cause: '' },
      { status: 2, other_info: '{"status_reason":"401"}', reason: 'off', cause: '' },
      { status: 3, other_info: '', reason: 'off_by_itself', cause: '' },
      { status: 3, other_info: '{"status_reason":401}', reason: 'off_by_itself', cause: '' },
      { status: 3, other_info: '{"status_reason":"401"}', reason: 'off_by_cause', cause: '401' },
      { status: 1, other_info: '{"status_reason":"401"}', reason: 'first', cause: '' },
    ]
    for (const { status, other_info } of cases) {
      const { id } = await add()
      await gateway.storage.channels.update(id, { status, other_info })
    }
    await gateway.storage.announce({ topic: 'channels', id: 0 })
    const { channels } = await ask<{ channels: { id: number }[] }>('channels.route', { model: MODEL })
    const explained = channels.toSorted((a, b) => a.id - b.id)
    expect(explained).toMatchObject(cases.map(({ status, reason, cause }) => ({ status, reason, cause })))
  })
})
