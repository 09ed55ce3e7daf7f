// From what an operator and a token's owner set to the limits of one call.
import { describe, expect, test } from 'vitest'
import { buildCallLimits, type LimitedCaller } from '../../../core/limits/call-limits.ts'
import { limitSettings } from '../../../core/settings/limits.ts'
import type { Settings } from '../../../core/settings/index.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'

const token = {
  ...{ user_id: 3, team_id: 0 },
  id: 5,
  budget_day: 0,
  budget_week: 0,
  budget_month: 0,
  time_zone: '',
  requests_per_minute: 0,
  tokens_per_minute: 0,
  max_concurrent: 0,
}
const who = (change: Partial<typeof token> = {}, group = 'default'): LimitedCaller => ({
  user: { id: 3, group },
  token: { ...token, ...change },
  group,
})
const settings = (change: Partial<Settings> = {}): Settings => ({ ...defaultSettings(), ...change })
const expected = { prompt: 100, answer: 400 }

describe('the limits of a call', () => {
  test('are none where nothing is set, with a token and without', () => {
    expect(buildCallLimits(who(), expected, settings())).toBeUndefined()
    expect(buildCallLimits({ ...who(), token: null }, expected, settings())).toBeUndefined()
  })

  test('of a token: budgets in its time zone, requests, tokens, calls at once', () => {
    const set = { budget_day: 10, budget_month: 30, time_zone: 'Asia/Tokyo' }
    const rates = { requests_per_minute: 6, tokens_per_minute: 1000, max_concurrent: 2 }
    expect(buildCallLimits(who({ ...set, ...rates }), expected, settings())).toEqual([
      { kind: 'requests', key: 'token:5:requests', length: 60_000, max: 6, amount: 1 },
      { kind: 'tokens', key: 'token:5:tokens', length: 60_000, max: 1000, amount: 500 },
      { kind: 'concurrent', key: 'token:5:calls', max: 2 },
      { kind: 'budget', key: 'token:5:day:Asia/Tokyo', period: 'day', zone: 'Asia/Tokyo', max: 10 },
      { kind: 'budget', key: 'token:5:month:Asia/Tokyo', period: 'month', zone: 'Asia/Tokyo', max: 30 },
    ])
  })

  test('count a large answer as what is left beside the prompt, and a large prompt as it is', () => {
    const amount = (tokens_per_minute: number) =>
      buildCallLimits(who({ tokens_per_minute }), expected, settings())?.map(
        (limit) => 'amount' in limit && limit.amount,
      )
    expect(amount(300)).toEqual([300])
    expect(amount(99)).toEqual([100])
  })

  test('of a user: the nearest of the three alone; of a group: all its calls together', () => {
    const RateLimits = {
      default: { requests_per_minute: 1 },
      'users_of:vip': { requests_per_minute: 2 },
      'user:4': { requests_per_minute: 3 },
      'group:vip': { max_concurrent: 9 },
    }
    const of = (id: number, group: string) =>
      buildCallLimits({ user: { id, group }, token: null, group }, expected, settings({ RateLimits }))
    expect(of(3, 'default')).toMatchObject([{ key: 'user:3:requests', max: 1 }])
    expect(of(3, 'vip')).toMatchObject([
      { key: 'user:3:requests', max: 2 },
      { key: 'group:vip:calls', max: 9 },
    ])
    expect(of(4, 'vip')).toMatchObject([{ max: 3 }, { max: 9 }])
    expect(of(3, 'constructor')).toMatchObject([{ max: 1 }])
  })

  test("of model requests: the group's own two counts, the token's group before the user's", () => {
    const on = {
      ModelRequestRateLimitEnabled: true,
      ModelRequestRateLimitDurationMinutes: 5,
      ModelRequestRateLimitCount: 7,
      ModelRequestRateLimitGroup: { vip: [0, 20] as [number, number] },
    }
    const of = (group: string, change: Partial<Settings> = {}) =>
      buildCallLimits({ ...who(), group }, expected, settings({ ...on, ...change }))
    expect(of('default')).toEqual([
      { kind: 'model_requests', key: 'user:3:model', length: 300_000, max: 7, amount: 1 },
      { kind: 'model_successes', key: 'user:3:model_success', length: 300_000, max: 1000, amount: 1 },
    ])
    expect(of('vip')).toMatchObject([{ kind: 'model_successes', max: 20 }])
    expect(of('default', { ModelRequestRateLimitCount: -1 })).toMatchObject([{ kind: 'model_successes' }])
    expect(of('default', { ModelRequestRateLimitDurationMinutes: 0 })).toBeUndefined()
    expect(of('default', { ModelRequestRateLimitEnabled: false })).toBeUndefined()
  })
})

describe('the settings of limits', () => {
  const accepts = (key: keyof typeof limitSettings, text: string) => limitSettings[key].value.schema.safeParse(text)

  test('have the defaults of the specification', () => {
    expect(defaultSettings()).toMatchObject({
      ModelRequestRateLimitEnabled: false,
      ModelRequestRateLimitDurationMinutes: 1,
      ModelRequestRateLimitCount: 0,
      ModelRequestRateLimitSuccessCount: 1000,
      ModelRequestRateLimitGroup: {},
      RateLimits: {},
    })
  })

  test.each([
    ['ModelRequestRateLimitDurationMinutes', ['0', '60'], ['-1', '1.5', '']],
    ['ModelRequestRateLimitCount', ['-1', '0', '2147483647'], ['-2', '2147483648', 'x']],
    ['ModelRequestRateLimitSuccessCount', ['1'], ['0', '-1']],
    [
      'ModelRequestRateLimitGroup',
      ['{}', '{"vip":[0,1]}', '{"vip":[5,2147483647]}'],
      ['{"vip":[0,0]}', '{"vip":[-1,1]}', '{"vip":[1]}', '{"vip":5}', '[]', 'no json', '{"vip":[1,2147483648]}'],
    ],
    [
      'RateLimits',
      ['{}', '{"default":{}}', '{"user:7":{"max_concurrent":0},"group:a b":{"tokens_per_minute":5}}'],
      ['{"user:x":{}}', '{"default":{"rpm":1}}', '{"default":{"max_concurrent":-1}}', '{"group:":{}}', '{"default":5}'],
    ],
  ] as const)('%s refuses what makes no sense', (key, good, bad) => {
    for (const text of good) expect(accepts(key, text).success, text).toBe(true)
    for (const text of bad) expect(accepts(key, text).success, text).toBe(false)
  })
})
