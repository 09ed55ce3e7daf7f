// Every worked case of a charge, where the cases are at hand.
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import { GatewayError } from '../../../core/errors.ts'
import { getCallGroup, getGroupRatio, findSpecialRatio } from '../../../core/groups/group.ts'
import { getAudioSeconds, countSoundTokens, countImageTokens } from '../../../core/pricing/media-tokens.ts'
import { charge } from '../../../core/pricing/charge.ts'
import { countDurationTokens } from '../../../core/pricing/components.ts'
import { estimateCost } from '../../../core/pricing/estimate.ts'
import { computeTurnDebit, createEmptyTotal } from '../../../core/pricing/session.ts'
import { findPrice } from '../../../core/pricing/price-book.ts'
import { computeTopUpAmount } from '../../../core/pricing/topup-amount.ts'
import { findHoldRefusal, type Payer } from '../../../core/quota/hold.ts'
import { planCommit } from '../../../core/quota/commit-plan.ts'
import { listFailures } from '../../support/list-failures.ts'
import { cases, nothing, priceOf, QUOTA_PER_UNIT, turnUsage, usageOf, type Case, isOffered } from './cases.ts'

function charges({ given, expect: expected }: Case): void {
  const perUnit = given.quota_per_unit ?? QUOTA_PER_UNIT
  const usage = usageOf(given)
  const { quota, lines } = charge(priceOf(given), given.group_ratio, usage, perUnit)
  expect(quota).toBe(expected.quota)
  expect((quota / perUnit).toFixed(6)).toBe(expected.usd)
  if (expected.tokens) expect(countDurationTokens(usage.seconds ?? 0)).toBe(expected.tokens)
  if (expected.tool_quota !== undefined) {
    const tools = lines.filter((line) => line.what === 'tool').reduce((sum, line) => sum + Number(line.quota), 0)
    expect(Math.round(tools)).toBe(expected.tool_quota)
  }
}

function holds({ given, expect: expected }: Case): void {
  const { group_ratio, prompt_tokens_estimate: prompt_estimate, max_tokens, token, user_quota } = given
  const settings = { PreConsumedQuota: given.pre_consumed_quota_option, QuotaPerUnit: QUOTA_PER_UNIT }
  const { quota, free } = estimateCost(priceOf(given), group_ratio, { prompt_estimate, max_tokens }, settings)
  expect(quota).toBe(expected.estimate)
  const limited = token.unlimited ? null : token.remain_quota
  const payer: Payer = { account_id: 1, by_user_id: null, token: { id: 2, mask: '' } }
  const account = { id: 2, remain_quota: limited ?? 0, unlimited_quota: limited === null, held: 0 }
  const refused = findHoldRefusal(payer, quota, free, { id: 1, quota: user_quota, held: 0 } as never, account)
  expect(refused ? 'reject' : 'accept').toBe(expected.result)
  if (refused) return expect([refused.relay.code, refused.relay.status]).toEqual([expected.error, expected.http_status])
  expect(quota).toBe(expected.hold)
  expect(user_quota - quota).toBe(expected.user_quota_after)
  if (expected.token_remain_after !== undefined) expect((limited ?? 0) - quota).toBe(expected.token_remain_after)
}

function settles({ given, expect: expected }: Case): void {
  const { user, token, channel, actual_quota, outcome, playground } = given
  const hold = { id: 'h', account_id: 1, by_user_id: null, token_id: playground ? null : 2, amount: given.hold }
  const ground = {
    accounts: new Map([[1, { id: 1, held: given.hold, quota: user.quota }]]),
    tokens: new Map([[2, { id: 2, held: 0, remain_quota: token.remain_quota ?? 0, unlimited_quota: token.unlimited }]]),
    open: new Map([['h', hold.amount]]),
    charged: new Set<string>(),
    references: new Set<string>(),
  }
  const settlement = { quota: actual_quota, channel_id: 3, billable: true }
  const operation =
    outcome === 'success' ? { kind: 'settle' as const, hold, settlement } : { kind: 'release' as const, hold }
  const { write } = planCommit([operation], ground as never, 0, null, () => '')
  const change = write.accounts.find((each) => each.id === 1)
  const spent = write.tokens.find((each) => each.id === 2)
  const sum = (before: number, change = 0) => before + change
  expect(sum(user.quota, change?.quota)).toBe(expected.user.quota)
  expect(sum(user.used_quota, change?.used_quota)).toBe(expected.user.used_quota)
  expect(sum(user.request_count, change?.request_count)).toBe(expected.user.request_count)
  expect(sum(channel.used_quota, write.channels[0]?.used_quota)).toBe(expected.channel.used_quota)
  expect(sum(token.used_quota, spent?.used_quota)).toBe(expected.token.used_quota)
  if (!token.unlimited) expect(sum(token.remain_quota, spent?.remain_quota)).toBe(expected.token.remain_quota)
  expect(write.entries.filter((entry) => entry.kind === 'charge')).toHaveLength(expected.consume_log_rows)
  expect(Math.abs(write.entries[0]?.amount ?? 0)).toBe(expected.consume_log_quota ?? 0)
}

const close = (actual: number | undefined, wanted: number) =>
  expect(Math.abs((actual ?? NaN) - wanted)).toBeLessThanOrEqual(Math.abs(wanted) * 1e-9)

function convertsPrices({ given, expect: expected }: Case): void {
  const { input_usd_per_1m: input, output_usd_per_1m: output, cached_usd_per_1m: cached } = given
  // Ratio 1 is two dollars per million input tokens.
  const per = (price: number | undefined) => (price === undefined ? undefined : price / input)
  const ratios = {
    model_ratio: input / 2,
    completion_ratio: per(output),
    cache_ratio: per(cached),
    create_cache_ratio: per(given.cache_write_usd_per_1m),
  }
  close(ratios.model_ratio, expected.model_ratio)
  close(ratios.completion_ratio, expected.completion_ratio)
  if (expected.cache_ratio !== undefined) close(ratios.cache_ratio, expected.cache_ratio)
  if (expected.create_cache_ratio !== undefined) close(ratios.create_cache_ratio, expected.create_cache_ratio)
  const price = priceOf({ pricing: { mode: 'ratio', model_price: 0, ...ratios } })
  const million = (usage: Partial<Usage>) =>
    charge(price, given.group_ratio, { ...nothing, ...usage }, QUOTA_PER_UNIT).quota
  expect(million({ input: 1e6 })).toBe(expected.quota_per_1m_input)
  expect(million({ output: 1e6 })).toBe(expected.quota_per_1m_output)
}

function choosesRatio({ given, expect: expected }: Case): void {
  const tables = {
    GroupRatio: given.group_ratio_map,
    GroupGroupRatio: given.special_ratio_map,
    UserUsableGroups: given.usable_groups,
  } as never
  const choose = () => getCallGroup(given.user_group, given.token_group, tables)
  if (expected.result === 'reject') return void expect(choose).toThrow(GatewayError)
  const group = choose()
  expect(group).toBe(expected.using_group)
  expect(getGroupRatio(group, tables, given.user_group)).toBe(expected.ratio)
  expect(findSpecialRatio(given.user_group, group, tables) !== undefined).toBe(expected.special)
}

const noPrices = { ModelPrice: {}, ModelRatio: {}, CompletionRatio: {}, CacheRatio: {}, CreateCacheRatio: {} }

function completes({ given, expect: expected }: Case): void {
  const configured: Record<string, number> =
    given.configured_completion_ratio === null ? {} : { [given.model]: given.configured_completion_ratio }
  const tables = { ...noPrices, ModelRatio: { [given.model]: 1 }, CompletionRatio: configured }
  const price = findPrice(given.model, tables, false)
  close(price?.kind === 'per_usage' ? price.completion_ratio : undefined, expected.completion_ratio)
}

function unknownModel({ given, expect: expected }: Case): void {
  const price = findPrice('nobody-knows', noPrices, given.self_use_mode || given.accept_unset_model_ratio_model)
  if (expected.result === 'accept') return expect(price).toMatchObject({ model_ratio: expected.model_ratio })
  expect(price).toBeNull()
  for (const code of ['model.no_price', 'model.no_price_root'] as const) {
    expect(new GatewayError(code, { model: 'x' }).relay.code).toBe(expected.code)
  }
}

function session({ given, expect: expected }: Case): void {
  let total = createEmptyTotal
  const debits = given.turns.map((turn) => {
    const taken = computeTurnDebit(total, charge(priceOf(given), given.group_ratio, turnUsage(turn), QUOTA_PER_UNIT))
    total = taken.total
    return taken.debit
  })
  expect(debits).toEqual(expected.debits)
  expect(total.debited).toBe(expected.quota)
}

const checks: Record<string, (one: Case) => void> = {
  preconsume: holds,
  settle: settles,
  realtime_session: session,
  price_to_ratio: convertsPrices,
  group_ratio: choosesRatio,
  completion_rule: completes,
  unknown_model: unknownModel,
  topup: ({ given, expect: expected }) => expect(computeTopUpAmount(given)).toMatchObject(expected),
  image_tokens: ({ given, expect: { tokens } }) => {
    const { model, detail } = given
    expect(countImageTokens(model, given, detail)).toBe(tokens)
  },
  audio_tokens: ({ given: { format, bytes, direction }, expect: expected }) => {
    expect(getAudioSeconds(format, bytes).toFixed()).toBe(expected.seconds)
    expect(countSoundTokens(format, bytes, direction)).toBe(expected.tokens)
  },
}

describe.skipIf(cases.length === 0)('the worked cases', () => {
  const offered = cases.filter(isOffered)

  it.each([...new Set(offered.map(({ kind }) => kind))])('of the kind %s', async (kind) => {
    const failures = await listFailures(
      offered.filter((one) => one.kind === kind),
      ({ name }) => name,
      checks[kind] ?? charges,
    )
    expect(failures).toEqual([])
  })

  it('are all here', () => expect(cases.length).toBeGreaterThanOrEqual(105))
})
