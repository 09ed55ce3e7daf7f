// One row for each model from two lists, models.dev's and LiteLLM's, by rules that stand here and nowhere else.
import type { FactRow, VendorPrice, VendorTier } from '../../core/models/fact-row.ts'
import { answersInTokens, findKindByName, hasTokenPrompt } from '../../core/models/model-kind.ts'
import type { Operation } from '../../core/models/operation.ts'
import { findSnapshotDay, toPlainModelName } from '../../core/models/same-model.ts'
import { omitUndefinedMembers } from '../../core/dialects/json/json-value.ts'
import { parseDay, isCatalogueFields, type CatalogueFields, type ListedFacts } from '../../core/prices/catalogue.ts'
import { readLiteLlmFacts, readLiteLlmPrice, readLiteLlmTiers } from '../../core/prices/litellm.ts'
import { readModelsDevFacts, readModelsDevPrice, readModelsDevTiers } from '../../core/prices/models-dev.ts'
import type { TierFactorSetting, PriceTierRules } from '../../core/settings/price-tiers.ts'
import type { Vendor } from './vendors.data.ts'

export interface Lists {
  /** models.dev's `api.json`, as it was parsed. */
  modelsDev: CatalogueFields
  /** LiteLLM's `model_prices_and_context_window.json`, as it was parsed. */
  liteLlm: CatalogueFields
}

/** The entries of one model in the two lists. */
interface Entries {
  modelsDev?: CatalogueFields
  /** The entry of models.dev is a cloud's, not the vendor's own. */
  isClouds?: boolean
  liteLlm?: CatalogueFields
}

/** Builds the rows of all vendors, sorted. */
export const mergeLists = (lists: Lists, vendors: readonly Vendor[]): FactRow[] =>
  sortRows(vendors.flatMap((vendor) => mergeVendor(lists, vendor)))

/** Sorts by vendor and name, by code units: the order depends on no locale. */
export const sortRows = (rows: readonly FactRow[]): FactRow[] =>
  [...rows].sort((a, b) => compareTexts(a[1], b[1]) || compareTexts(a[0], b[0]))

export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function mergeVendor(lists: Lists, vendor: Vendor): FactRow[] {
  const models = new Map<string, Entries>()
  const add = (key: string, entries: Entries) => {
    const name = vendor.cloudName?.exec(key)?.[1] ?? key
    if (vendor.own.test(name) && !/[/@]/.test(name)) models.set(name, { ...entries, ...models.get(name) })
  }
  for (const section of vendor.modelsDev) {
    const isClouds = section !== vendor.modelsDev[0]
    for (const [name, entry] of Object.entries(findModels(lists.modelsDev[section]))) {
      if (isCatalogueFields(entry)) add(name, { modelsDev: entry, isClouds })
    }
  }
  for (const section of vendor.liteLlm) {
    for (const [key, entry] of Object.entries(lists.liteLlm)) {
      if (!isCatalogueFields(entry) || entry.litellm_provider !== section) continue
      // Reading of pages, searches, and all else that no operation here asks for.
      if (entry.mode !== undefined && readLiteLlmFacts(entry).kind === undefined) continue
      add(key.startsWith(`${section}/`) ? key.slice(section.length + 1) : key, { liteLlm: entry })
    }
  }
  const inModelsDev = (name: string) => models.get(name)?.modelsDev !== undefined
  const rows = [...models].map(([name, entries]) => mergeModel(name, vendor.id, entries))
  return foldDates(rows.filter(hasFacts), inModelsDev)
}

const findModels = (section: unknown): CatalogueFields =>
  isCatalogueFields(section) && isCatalogueFields(section.models) ? section.models : {}

const hasFacts = ([, , , context, output, , , , usd]: FactRow): boolean => context > 0 || output > 0 || usd !== null

/**
 * Where the lists disagree:
 * - Price: LiteLLM. It names the vendor's page of each price, has the parts that models.dev leaves out (pictures, sound,
 *   calls, seconds), and its copies are newer.
 * - Context and longest answer: models.dev. Its context is prompt and answer together, LiteLLM's the longest prompt.
 * - What it reads and writes: models.dev, which has fields for it; not of a cloud, which often copies a whole family.
 * - Day of release: models.dev alone has it.
 * - Kind: the name, as for models that no list has (Gemini's models make pictures in a chat, which LiteLLM calls
 *   image generation); else LiteLLM's mode, which models.dev does not have.
 */
function mergeModel(name: string, vendor: string, { modelsDev, isClouds = false, liteLlm }: Entries): FactRow {
  const theirs = modelsDev && readModelsDevFacts(modelsDev)
  const other = liteLlm && readLiteLlmFacts(liteLlm)
  const kind = findKindByName(name) ?? other?.kind ?? theirs?.kind ?? 'chat'
  const limit = (part: 'context' | 'longest') => theirs?.[part] || other?.[part] || 0
  const words = (part: 'reads' | 'writes') => {
    const sources: (ListedFacts | undefined)[] = isClouds ? [other, theirs] : [theirs, other]
    return (sources.map((facts) => facts?.[part] ?? []).find((list) => list.length > 0) ?? ['text']).join(' ')
  }
  const [usd, tiers] = mergePrice(name, kind, modelsDev, liteLlm)
  const row = [
    name,
    vendor,
    kind,
    hasTokenPrompt(kind) ? limit('context') : 0,
    answersInTokens(kind) ? limit('longest') : 0,
    parseDay(modelsDev?.release_date),
    words('reads'),
    words('writes'),
    usd,
  ] as const
  return tiers?.prompt && usd ? [...row, tiers.prompt.map(toVendorTier)] : row
}

function mergePrice(
  name: string,
  kind: Operation,
  modelsDev: CatalogueFields | undefined,
  liteLlm: CatalogueFields | undefined,
): [VendorPrice | null, PriceTierRules | undefined] {
  const usd = liteLlm && isSoldInTokensOf(name, kind, liteLlm) ? readLiteLlmPrice(liteLlm) : 'no_price'
  const price = typeof usd === 'string' ? null : cleanPrice(usd)
  if (price) return [price, readLiteLlmTiers(liteLlm!)]
  return modelsDev ? [cleanPrice(readModelsDevPrice(modelsDev)), readModelsDevTiers(modelsDev)] : [null, undefined]
}

/**
 * A price of sound by its second or character stands for tokens only where calls are counted so: of OpenAI's models that
 * are called `gpt`, and of conversations, the tokens themselves are counted.
 */
function isSoldInTokensOf(name: string, kind: Operation, entry: CatalogueFields): boolean {
  const { kind: listed } = readLiteLlmFacts(entry)
  const isByUnit = (listed === 'speech' || listed === 'transcription') && entry.input_cost_per_token === undefined
  return !isByUnit || (kind === listed && !name.startsWith('gpt-'))
}

const DECIMALS = 6

/**
 * A price of 0 is not taken over: both lists write it for plans, previews and unknown prices too, and nobody should be
 * given a model for free by mistake. A part of 0 beside others means that a list has no price of it: `output` of what
 * writes nothing, `cache_write` of vendors that charge written input as any other. Without a price of input there is none.
 * Pictures that cost what text costs need no price of their own.
 */
function cleanPrice(usd: VendorPrice): VendorPrice | null {
  const parts = Object.entries(usd)
    .map(([part, value]) => [part, Number(Number(value).toFixed(DECIMALS))] as const)
    .filter(([part, value]) => value > 0 && !(part === 'image_input' && value === usd.input))
  const price = Object.fromEntries(parts) as VendorPrice
  return (price.input ?? price.call ?? price.video) ? price : null
}

function toVendorTier({ above, factor }: NonNullable<PriceTierRules['prompt']>[number]): VendorTier {
  const parts: Exclude<TierFactorSetting, number> =
    typeof factor === 'number' ? { input: factor, output: factor } : factor
  const round = (value: number) => Number(value.toFixed(DECIMALS))
  const { input, output, cache_read } = parts
  return {
    above,
    factor: omitUndefinedMembers({
      input: round(input),
      output: round(output),
      cache_read: cache_read && round(cache_read),
    }),
  }
}

/**
 * Makes one row of the names of a model, dated and plain: a plain name stands for its dated ones. The plain one's facts
 * are those of models.dev under the plain name, else under the latest name; else LiteLLM's, whose plain names are often
 * those of a model that is gone. A dated name keeps a row of its own if its price is another, or models.dev has other limits.
 */
function foldDates(rows: readonly FactRow[], inModelsDev: (name: string) => boolean): FactRow[] {
  const families = new Map<string, FactRow[]>()
  for (const row of rows)
    families.set(toPlainModelName(row[0]), [...(families.get(toPlainModelName(row[0])) ?? []), row])
  return [...families].flatMap(([plain, family]) => {
    const rank = ([name]: FactRow) =>
      (inModelsDev(name) ? 0 : 4) + (name === plain ? 0 : name.endsWith('-latest') ? 1 : 2)
    const [best, ...others] = [...family].sort((a, b) => rank(a) - rank(b) || compareTexts(b[0], a[0]))
    const [, vendor, kind, context, output, released, ...rest] = best!
    const days = [best!, ...family].flatMap(([name]) => findSnapshotDay(name) ?? [])
    const main: FactRow = [plain, vendor, kind, context, output, released || (days[0] ?? ''), ...rest]
    const isOther = (row: FactRow) =>
      row[0] !== plain && (priceOf(row) !== priceOf(main) || (inModelsDev(row[0]) && limitsOf(row) !== limitsOf(main)))
    return [main, ...others.filter(isOther)]
  })
}

const priceOf = ([, , , , , , , , usd]: FactRow): string => JSON.stringify(usd)
const limitsOf = ([, , , context, output]: FactRow): string => `${context} ${output}`
