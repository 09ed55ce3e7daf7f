// Prices read in dollars and set again: every one that comes with Weir is the same price then.
import { expect, it } from 'vitest'
import { getModelKind } from '../../../core/models/model-facts.ts'
import { listModelPrices, buildTierList } from '../../../core/pricing/price-list.ts'
import { findPrice } from '../../../core/pricing/price-book.ts'
import { buildPriceRow, listSoldNames } from '../../../core/prices/price-rows.ts'
import { previewModelPrice, previewPriceTables, buildPriceChange } from '../../../core/prices/trial.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'
import { listFailures } from '../../support/list-failures.ts'
import { sampleCases } from '../../support/suite.ts'

const settings = defaultSettings()
const shown = (model: string, tables = settings) => {
  const price = findPrice(model, tables, false)!
  return [
    listModelPrices(price, getModelKind(model)),
    buildTierList(price.tiers ?? {}),
    price.tools,
    price.image_multipliers,
  ].map(rounded)
}
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (_, each: unknown) =>
      typeof each === 'number' ? Number(each.toPrecision(6)) : each,
    ),
  )

it('keeps the price of every model', async () => {
  const models = sampleCases(listSoldNames(settings), 3)
  const failures = await listFailures(models, String, (model) => {
    const of = { channel: '', model }
    const { dollars, said } = buildPriceRow(of, settings, settings, () => false)
    const { tiers, tools, image_multipliers } = said
    // Dollars say what the cache costs.
    const { cache: _, ...others } = tiers ?? {}
    const beside = {
      ...(Object.keys(others).length > 0 ? { tiers: others } : {}),
      ...(tools ? { tools } : {}),
      ...(image_multipliers ? { image_multipliers } : {}),
    }
    const price = buildPriceChange({ ...of, usd: dollars, price: beside, whole: true }, settings)
    const after = previewPriceTables([{ ...of, price }], settings)
    expect(shown(model, after)).toEqual(shown(model))
  })
  expect(failures).toEqual([])
})

it('says of a model whether its price changes, with a price or without one', () => {
  const change = { channel: '', model: 'gpt-4o', price: { model_ratio: 7 } }
  const after = previewPriceTables([change, { ...change, model: 'house-model' }], settings)
  const statuses = ['gpt-4o', 'house-model', 'gpt-5', 'another-house-model'].map(
    (model) => previewModelPrice(model, settings, after).status,
  )
  expect(statuses).toEqual(['changed', 'new', 'same', 'same'])
})
