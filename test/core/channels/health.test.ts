// The failures that disable a channel, and those after which another channel is tried.
import { describe, expect, test } from 'vitest'
import { shouldDisableChannel } from '../../../core/channels/health.ts'
import type { CallFailure } from '../../../core/dialects/answers/call-failure.ts'
import { GatewayError, type ErrorCode } from '../../../core/errors.ts'
import { toCallFailure } from '../../../core/relay/failure.ts'
import { canTryOtherChannel } from '../../../core/relay/retry-plan.ts'
import { declaredSettings } from '../../../core/settings/index.ts'

const OPENAI = 1
const ANTHROPIC = 14
const GEMINI = 24

const upstream = (fields: Partial<CallFailure>): CallFailure => ({
  ...{ status: 500, message: 'no', type: 'error', code: null, param: null, source: 'upstream' },
  ...fields,
})

describe('a failure switches a channel off', () => {
  const settings = {
    AutomaticDisableChannelEnabled: true,
    AutomaticDisableKeywords: declaredSettings.AutomaticDisableKeywords.value.default,
  }
  const off = (fields: Partial<CallFailure>, channel = { auto_ban: 1, type: OPENAI }, set = settings) =>
    shouldDisableChannel(upstream(fields), channel, set)

  test.each<[string, Partial<CallFailure>]>([
    ['401', { status: 401 }],
    ['402', { status: 402 }],
    ['code invalid_api_key', { status: 400, code: 'invalid_api_key' }],
    ['code account_deactivated', { status: 400, code: 'account_deactivated' }],
    ['code billing_not_active', { status: 429, code: 'billing_not_active' }],
    ['code insufficient_quota', { status: 429, code: 'insufficient_quota' }],
    ['type insufficient_quota', { status: 429, type: 'insufficient_quota' }],
    ['type insufficient_user_quota', { type: 'insufficient_user_quota' }],
    ['type authentication_error', { type: 'authentication_error' }],
    ['type permission_error', { type: 'permission_error' }],
    ['type forbidden', { type: 'forbidden' }],
    ['a word of the list in any case', { message: 'Sorry: your CREDIT balance is too LOW.' }],
  ])('by %s', (_, fields) => {
    expect(off(fields)).toBe(true)
    expect(off(fields, { auto_ban: 0, type: OPENAI })).toBe(false)
    expect(off(fields, undefined, { ...settings, AutomaticDisableChannelEnabled: false })).toBe(false)
    // What we ourselves say is never the channel's fault.
    expect(off({ ...fields, source: 'gateway' })).toBe(false)
  })

  test.each([400, 404, 408, 422, 429, 500, 502, 503, 504, 529])('not by status %i alone', (status) => {
    expect(off({ status })).toBe(false)
  })

  test('by 403 only where it means the key: at Gemini', () => {
    expect(off({ status: 403 })).toBe(false)
    expect(off({ status: 403 }, { auto_ban: 1, type: GEMINI })).toBe(true)
  })

  test('by no word when the list is empty or blank', () => {
    for (const AutomaticDisableKeywords of ['', '\n \n']) {
      expect(off({ message: 'anything' }, undefined, { ...settings, AutomaticDisableKeywords })).toBe(false)
    }
  })
})

describe('another channel is tried', () => {
  test.each([307, 401, 402, 403, 404, 409, 413, 422, 429, 500, 501, 502, 503, 505, 520, 529, 100, 302])(
    'after %i of a provider',
    (status) => {
      expect(canTryOtherChannel(upstream({ status }), OPENAI)).toBe(true)
    },
  )

  test.each([200, 204, 299, 400, 408, 504, 524])('not after %i of a provider', (status) => {
    expect(canTryOtherChannel(upstream({ status }), OPENAI)).toBe(false)
  })

  test('after 400 only at Anthropic', () => {
    expect(canTryOtherChannel(upstream({ status: 400 }), ANTHROPIC)).toBe(true)
  })

  const own = (code: ErrorCode) => canTryOtherChannel(toCallFailure(new GatewayError(code)), OPENAI)

  test.each<ErrorCode>([
    'upstream.unreachable',
    'upstream.broken',
    'upstream.unreadable',
    'upstream.silent',
    'channel.wrong_operation',
    'channel.base_url',
  ])('after %s: the channel or the way to it is at fault', (code) => {
    expect(own(code)).toBe(true)
  })

  test.each<ErrorCode>(['mapping.cycle', 'request.invalid', 'quota.insufficient', 'model.no_price', 'server.bug'])(
    'not after %s: it is ours or the request is',
    (code) => {
      expect(own(code)).toBe(false)
    },
  )
})
