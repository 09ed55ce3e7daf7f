// A book of prices goes with its snapshot of the settings: what it has said stays, and what is changed is in the next one.
import { expect, it } from 'vitest'
import { memoize } from '../../../core/memoize.ts'
import { findPrice, getPriceBook } from '../../../core/pricing/price-book.ts'
import { getPriceVersion } from '../../../core/pricing/price-version.ts'
import { buildRates } from '../../../core/pricing/rates.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'
import { openMemoryGateway } from '../gateway.ts'

it('has one price for a model, with its rates and its version', () => {
  const settings = defaultSettings()
  const price = findPrice('gpt-4o', settings, false)
  if (!price) throw new Error('gpt-4o has no price')
  expect(findPrice('gpt-4o', settings, true)).toBe(price)
  expect(buildRates(price, 1, settings.QuotaPerUnit)).toBe(buildRates(price, 1, settings.QuotaPerUnit))
  expect(buildRates(price, 2, settings.QuotaPerUnit)).not.toBe(buildRates(price, 1, settings.QuotaPerUnit))
  expect(getPriceVersion(price)).toBe(getPriceVersion({ ...price }))
  expect(Object.isFrozen(price)).toBe(true)
})

it('keeps what a model costs to buy apart for each channel', () => {
  const book = getPriceBook(defaultSettings())
  const dear = book.purchasePrice('7', 'gpt-4o', { model_ratio: 9 })
  expect(book.purchasePrice('7', 'gpt-4o', { model_ratio: 9 })).toBe(dear)
  expect(book.purchasePrice('type:7', 'gpt-4o', { model_ratio: 2 })).toMatchObject({ model_ratio: 2 })
})

it('holds no models that nobody has said a price of, whatever callers name', () => {
  const settings = defaultSettings()
  expect(findPrice('nobodys-model', settings, false)).toBeNull()
  const accepted = findPrice('nobodys-model', settings, true)
  expect(accepted).toMatchObject({ kind: 'per_usage', model_ratio: 37.5 })
  expect(findPrice('nobodys-model', settings, true)).not.toBe(accepted)
  expect(findPrice('nobodys-model', settings, false)).toBeNull()
})

it('reads the tables of a copy of the settings anew', () => {
  const settings = { ...defaultSettings(), ModelRatio: { mine: 1 } }
  expect(findPrice('mine', settings, false)).toMatchObject({ model_ratio: 1 })
  expect(findPrice('mine', { ...settings, ModelRatio: { mine: 2 } }, false)).toMatchObject({ model_ratio: 2 })
})

it('is another one as soon as a setting is changed; a call that has begun keeps its own', async () => {
  const gateway = await openMemoryGateway()
  try {
    const before = gateway.settings()
    const sold = findPrice('gpt-4o', before, false)
    await gateway.client.settings.update({ key: 'ModelRatio', value: JSON.stringify({ 'gpt-4o': 77 }) })
    expect(findPrice('gpt-4o', gateway.settings(), false)).toMatchObject({ model_ratio: 77 })
    expect(findPrice('gpt-4o', before, false)).toBe(sold)
  } finally {
    await gateway.close()
  }
})

it('makes a value once for each object, also one without a value, and anew for copies', () => {
  let made = 0
  const make = memoize<object, { nth: number }>(() => ({ nth: ++made }))
  const value = Object.freeze({ a: 1 })
  expect(make(value)).toBe(make(value))
  expect(make({ ...value })).toEqual({ nth: 2 })
  let asked = 0
  const find = memoize<object, void>(() => void (asked += 1))
  expect([find(value), find(value), asked]).toEqual([undefined, undefined, 1])
})
