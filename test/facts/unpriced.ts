// Current models that could not be sold as Weir comes: what packing refuses.
import type { FactsFile } from '../../core/models/fact-row.ts'
import { isTaskOperation } from '../../core/models/operation.ts'
import { findPrice } from '../../core/pricing/price-book.ts'
import { allProviders } from '../../core/providers/index.ts'
import { defaultSettings } from '../../core/settings/snapshot.ts'
import { sellsElsewhere } from './unpriced.data.ts'

/** Vendors whose new models operators look for at once. */
const WATCHED_VENDORS = ['anthropic', 'google', 'openai']
/** A model is current for so long after its release. Unit: months. */
const CURRENT_MONTHS = 12

interface Request {
  file: FactsFile
  /** The models that types of channels offer, by the id of the type. */
  offered?: readonly { id: string; models: readonly string[] }[]
  /** Has a call of the model a built-in price? */
  isPriced?: (model: string) => boolean
}

const hasDefaultPrice = (model: string): boolean => findPrice(model, defaultSettings(), false) !== null

/**
 * Returns the current models without a built-in price: those that a type of channel offers, and those that Anthropic, Google
 * and OpenAI have released in the twelve months before the lists were read, or on a day that no list has. Left out are films
 * and songs, which are priced by hand, moderation, which is free, and the names of `unpriced.data.ts`.
 */
export function findUnpriced({ file, offered = allProviders, isPriced = hasDefaultPrice }: Request): string[] {
  const isCurrent = (released: string) => released === '' || released >= subtractMonths(file.date, CURRENT_MONTHS)
  const listed = file.models.flatMap(([model, vendor, kind, , , released]) =>
    WATCHED_VENDORS.includes(vendor) && isCurrent(released) && kind !== 'moderation' && !isTaskOperation(kind)
      ? [{ model, from: `${vendor}, released ${released || 'on an unknown day'}` }]
      : [],
  )
  const models = [
    ...offered.flatMap(({ id, models }) => models.map((model) => ({ model, from: `offered by ${id}` }))),
    ...listed,
  ]
  return models
    .filter(({ model }) => !isPriced(model) && !sellsElsewhere.some(({ names }) => names.test(model)))
    .map(({ model, from }) => `${model}: no built-in price (${from})`)
}

function subtractMonths(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() - months)
  return date.toISOString().slice(0, 10)
}
