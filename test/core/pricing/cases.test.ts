// The worked cases of the billing reference, for every kind that is charged today.
import { expect, test } from 'vitest'
import { callGroup, groupRatio } from '../../../core/groups/group.ts'
import { charge } from '../../../core/pricing/charge.ts'
import { familyCompletionRatio } from '../../../core/pricing/completion-family.ts'
import { priceToRatio } from '../../../core/pricing/display.ts'
import { estimate } from '../../../core/pricing/estimate.ts'
import { findPrice } from '../../../core/pricing/price.ts'
import { casesOf, groupRatioIn, needsMore, present, priceIn, quotaPerUnitIn, usageIn, type Case } from './cases.ts'

/** One test for each case; a single one, skipped, where the cases are absent. */
function each(name: string, cases: Case[], run: (given: Case['given'], expected: Case['expect']) => void): void {
  if (!present) return void test.skip(`${name} (the billing cases are not at hand)`, () => expect(present).toBe(true))
  test(`${name}: there are cases`, () => expect(cases.length).toBeGreaterThan(0))
  for (const { name: title, given, expect: expected } of cases) test(`${name}: ${title}`, () => run(given, expected))
}

const charged = ['text', 'embedding', 'rerank', 'anthropic']

each(
  'charge',
  casesOf(...charged).filter((one) => !needsMore(one)),
  (given, expected) => {
    const { quota } = charge(priceIn(given), groupRatioIn(given), usageIn(given), quotaPerUnitIn(given))
    expect(quota).toBe(expected.quota)
    expect((quota / quotaPerUnitIn(given)).toFixed(6)).toBe(expected.usd)
  },
)

each('fixed price', casesOf('fixed'), (given, expected) => {
  const { quota } = charge(priceIn(given), groupRatioIn(given), usageIn(given), quotaPerUnitIn(given))
  expect(quota).toBe(expected.quota)
})

const estimateIn = (given: Case['given']) =>
  estimate(
    priceIn(given),
    groupRatioIn(given),
    { prompt_estimate: Number(given.prompt_tokens_estimate), max_tokens: Number(given.max_tokens) },
    { PreConsumedQuota: Number(given.pre_consumed_quota_option), QuotaPerUnit: quotaPerUnitIn(given) },
  )

each('estimate', casesOf('preconsume'), (given, expected) => {
  expect(estimateIn(given).quota).toBe(expected.estimate)
})

each(
  'group ratio',
  casesOf('group_ratio').filter(({ expect: { special } }) => special !== true),
  (given, expected) => {
    const tables = {
      GroupRatio: given.group_ratio_map as Record<string, number>,
      UserUsableGroups: given.usable_groups as Record<string, string>,
    }
    const group = () => callGroup(String(given.user_group), String(given.token_group), tables)
    if (expected.result === 'reject') return void expect(group).toThrow()
    expect(group()).toBe(expected.using_group)
    expect(groupRatio(group(), tables)).toBe(expected.ratio)
  },
)

const nine = (value: number) => Number(value.toFixed(9))

each('completion ratio', casesOf('completion_rule'), (given, expected) => {
  expect(nine(familyCompletionRatio(String(given.model)))).toBe(expected.completion_ratio)
})

each('unknown model', casesOf('unknown_model'), (given, expected) => {
  const none = { ModelPrice: {}, ModelRatio: {}, CompletionRatio: {}, CacheRatio: {}, CreateCacheRatio: {} }
  const accepts = given.self_use_mode === true || given.accept_unset_model_ratio_model === true
  const price = findPrice('nobody-knows-it', none, accepts)
  if (expected.result === 'reject') expect(price).toBeNull()
  else expect(price).toMatchObject({ kind: 'per_usage', model_ratio: expected.model_ratio })
})

each('price to ratio', casesOf('price_to_ratio'), (given, expected) => {
  const input = Number(given.input_usd_per_1m)
  const model_ratio = priceToRatio(input)
  const completion_ratio = Number(given.output_usd_per_1m) / input
  expect(nine(model_ratio)).toBe(expected.model_ratio)
  expect(nine(completion_ratio)).toBe(expected.completion_ratio)
  const price = { ...priceIn({ pricing: { mode: 'ratio', model_ratio, completion_ratio } }) }
  const million = { ...usageIn({}), input: 1_000_000 }
  expect(charge(price, groupRatioIn(given), million, 500_000).quota).toBe(expected.quota_per_1m_input)
})
