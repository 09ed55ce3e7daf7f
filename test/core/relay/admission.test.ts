// May this caller make this call? Asked before any money is held or any provider hears of it.
import { afterEach, describe, expect, test } from 'vitest'
import { whole } from '../../support/memory-upstream.ts'
import { openRelay, type Relayed } from './calls.ts'

const opened: Relayed[] = []
const open = async (given: Parameters<typeof openRelay>[0] = {}) => {
  const relay = await openRelay(given)
  relay.gateway.upstream.reply(whole('Hello', { prompt_tokens: 10, completion_tokens: 1 }))
  opened.push(relay)
  return relay
}
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.close()
})

/** The code with which a call is refused, or `done`. */
async function codeOf(relay: Relayed, changes: object, body: object = {}, pin?: string): Promise<string> {
  const { token = {}, user = {}, ...rest } = changes as Record<string, object>
  const { caller } = relay
  const changed = { ...caller, ...rest, token: { ...caller.token!, ...token }, user: { ...caller.user, ...user } }
  const { error } = await relay.run(body, { caller: changed, ...(pin === undefined ? {} : { pin }) })
  return error === undefined ? 'done' : ((error as { code?: string }).code ?? String(error))
}

describe('a call is refused', () => {
  test.each<[string, object, object?, string?]>([
    ['key.disabled', { token: { status: 2 } }],
    ['key.expired', { token: { expired_time: 1_700_000_000 } }],
    ['access.banned', { user: { status: 2 } }],
    ['access.banned', { user: { DeletedAt: '2026-01-01T00:00:00.000Z' } }],
    ['key.address', { token: { allow_ips: '10.0.0.0/8' } }],
    ['group.disabled', { token: { group: 'svip' } }],
    ['model.not_allowed', { token: { model_limits_enabled: true, model_limits: 'o3, gpt-4o-mini' } }],
    ['model.missing', {}, { model: 'unknown' }],
    ['model.missing', { user: { role: 10 } }, { model: 'unknown' }, '1'],
    ['model.no_channel', { user: { group: 'vip' } }],
    ['key.pin_forbidden', {}, {}, '1'],
    ['key.pin_invalid', { user: { role: 10 } }, {}, 'x'],
    ['key.pin_invalid', { user: { role: 10 } }, {}, '99'],
    ['request.no_model', {}, { model: '' }],
    ['request.invalid', {}, { messages: [] }],
    ['request.invalid', {}, { max_tokens: -1 }],
  ])('with %s: %j %j %s', async (code, changes, body, pin) => {
    const relay = await open()
    expect(await codeOf(relay, changes, body, pin)).toBe(code)
    expect(relay.gateway.upstream.requests).toEqual([])
    await relay.settled()
  })

  test('without a price, unless site or user accept models that have none', async () => {
    const relay = await open({ channels: [{ models: 'unpriced' }] })
    const body = { model: 'unpriced' }
    expect(await codeOf(relay, {}, body)).toBe('model.no_price')
    expect(await codeOf(relay, { user: { role: 100 } }, body)).toBe('model.no_price_root')
    const setting = JSON.stringify({ accept_unset_model_ratio_model: true })
    expect(await codeOf(relay, { user: { setting } }, body)).toBe('done')
    const root = await relay.gateway.as('root')
    await relay.gateway.ask(root, 'settings.update', { key: 'SelfUseModeEnabled', value: 'true' })
    expect(await codeOf(relay, {}, body)).toBe('done')
  })

  test('on a channel that is switched off, by whomever it is asked for', async () => {
    const relay = await open({ channels: [{}, { status: 2 }], role: 'admin' })
    expect(await codeOf(relay, {}, {}, '2')).toBe('channel.disabled')
    expect(await codeOf(relay, {}, {}, '1')).toBe('done')
  })

  test('when every channel takes only shorter prompts', async () => {
    const relay = await open({ channels: [{ max_input_tokens: 2 }] })
    expect(await codeOf(relay, {})).toBe('request.prompt_too_long')
    await relay.settled()
  })
})

describe('a call is made', () => {
  test.each<[string, object]>([
    ['at the last second of its token', { token: { expired_time: 1_760_000_000 } }],
    ['from an address of the list', { token: { allow_ips: '203.0.113.0/24' } }],
    ['for a model of the list', { token: { model_limits_enabled: true, model_limits: 'o3,gpt-4o' } }],
    ['where the list is switched off', { token: { model_limits_enabled: false, model_limits: 'o3' } }],
  ])('%s', async (_, changes) => {
    expect(await codeOf(await open(), changes)).toBe('done')
  })

  test("at the multiplier of the token's group, under the name asked for, whatever is sent upstream", async () => {
    const relay = await open({ channels: [{ group: 'vip', model_mapping: '{"gpt-4o": "inner", "inner": "deep"}' }] })
    const root = await relay.gateway.as('root')
    const groups = { key: 'GroupRatio', value: '{"default": 1, "vip": 3}' }
    await relay.gateway.ask(root, 'settings.update', groups)
    expect(await codeOf(relay, { token: { group: 'vip' } })).toBe('done')
    expect(relay.gateway.upstream.requests).toMatchObject([{ json: { model: 'deep' } }])
    expect(await relay.logs()).toMatchObject([
      { model_name: 'gpt-4o', group: 'vip', quota: 36, detail: { is_model_mapped: true, upstream_model_name: 'deep' } },
    ])
  })

  test('without balance where its group costs nothing', async () => {
    const relay = await open({ quota: 0 })
    expect(await codeOf(relay, {})).toBe('quota.insufficient')
    const root = await relay.gateway.as('root')
    await relay.gateway.ask(root, 'settings.update', { key: 'GroupRatio', value: '{"default": 0, "vip": 1}' })
    expect(await codeOf(relay, {})).toBe('done')
    expect(await relay.balance()).toBe(0)
    await relay.settled()
  })
})
