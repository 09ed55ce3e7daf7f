// Reads models.dev's `api.json`: provider → its models, each with USD per 1M tokens, limits and modalities. The same
// model appears under many providers; the price of its vendor counts, or the one on which all others agree.
import { omitUndefinedMembers } from '../dialects/json/json-value.ts'
import type { Operation } from '../models/operation.ts'
import type { TierFactorSetting, PriceTierRules } from '../settings/price-tiers.ts'
import type { PriceCatalogue, CatalogueFields, ListedFacts } from './catalogue.ts'
import {
  parseAmount,
  parseDay,
  parseCatalogueEntries,
  isCatalogueFields,
  toShortText,
  parseTextList,
  parseTokenCount,
} from './catalogue.ts'
import { findTierFactor, toPriceFields, type DollarPrice } from './dollars.ts'

/** The vendors with models of their making, by their names in the list. */
const MAKERS = [
  ...['openai', 'anthropic', 'google', 'xai', 'deepseek', 'mistral', 'alibaba', 'moonshotai', 'zai', 'zhipuai'],
  ...['minimax', 'cohere', 'perplexity', 'llama', 'xiaomi', 'stepfun', 'upstage', 'inception', 'morph', 'v0', 'vercel'],
]

interface Provided {
  provider: string
  entry: CatalogueFields
}

const getModels = (provider: unknown): CatalogueFields | undefined =>
  isCatalogueFields(provider) && isCatalogueFields(provider.models) ? provider.models : undefined

export const isModelsDev = (list: unknown): list is CatalogueFields =>
  isCatalogueFields(list) &&
  Object.values(list).some((provider) => Object.values(getModels(provider) ?? {}).some(isCatalogueFields))

/** @param only this provider's offers; empty for everybody's */
export function readModelsDev(list: CatalogueFields, only: string): PriceCatalogue {
  const offers = new Map<string, Provided[]>()
  for (const [provider, value] of Object.entries(list)) {
    if (only !== '' && provider !== only) continue
    for (const [model, entry] of Object.entries(getModels(value) ?? {})) {
      if (isCatalogueFields(entry)) offers.set(model, [...(offers.get(model) ?? []), { provider, entry }])
    }
  }
  return {
    shape: 'models.dev',
    ...parseCatalogueEntries(offers, (_, provided) => {
      const priced = provided.filter(({ entry }) => parseAmount(getCost(entry).input) !== undefined)
      if (priced.length === 0) return 'no_price'
      const chosen = findVendorOffer(priced) ?? agreed(priced)
      return chosen ? read(chosen) : 'several'
    }),
  }
}

const getCost = (entry: CatalogueFields): CatalogueFields => (isCatalogueFields(entry.cost) ? entry.cost : {})

const findVendorOffer = (offers: readonly Provided[]): Provided | undefined =>
  MAKERS.map((maker) => offers.find(({ provider }) => provider === maker)).find((offer) => offer !== undefined)

/** Returns the offer that all sellers agree on. Free offers do not count. */
function agreed(offers: readonly Provided[]): Provided | undefined {
  const sold = offers.filter(({ entry }) => (parseAmount(getCost(entry).input) ?? 0) > 0)
  const costs = new Set(sold.map(({ entry }) => JSON.stringify(parseDollars(getCost(entry)))))
  return costs.size > 1 ? undefined : (sold[0] ?? offers[0])
}

const read = ({ provider, entry }: Provided) => ({
  price: toPriceFields(readModelsDevPrice(entry), readModelsDevTiers(entry)),
  provider,
  date: parseDay(entry.last_updated) || parseDay(entry.release_date),
  ...readModelsDevFacts(entry),
})

/** Reads the price of one entry, without its tiers; empty if it has none. */
export const readModelsDevPrice = (entry: CatalogueFields): DollarPrice => parseDollars(getCost(entry))

export function readModelsDevFacts(entry: CatalogueFields): ListedFacts {
  const [limit, modalities] = [entry.limit, entry.modalities].map((value) => (isCatalogueFields(value) ? value : {}))
  const [reads, writes] = [parseTextList(modalities?.input), parseTextList(modalities?.output)]
  return {
    context: parseTokenCount(limit?.context),
    longest: parseTokenCount(limit?.output),
    reads,
    writes,
    kind: findKindByModalities(reads, writes),
  }
}

/**
 * Finds the kind of a model that is no chat model by its output, since the list has no kinds; undefined if it may be
 * one.
 */
function findKindByModalities(reads: readonly string[], writes: readonly string[]): Operation | undefined {
  const [written, ...more] = writes
  if (more.length > 0) return undefined
  if (written === 'image') return 'images'
  if (written === 'video') return 'video'
  if (written === 'audio' && reads.join() === 'text') return 'speech'
  return written === 'text' && reads.join() === 'audio' ? 'transcription' : undefined
}

/** The list's names for the parts of a price. */
const PARTS: Partial<Record<keyof DollarPrice, string>> = {
  input: 'input',
  output: 'output',
  cache_read: 'cache_read',
  cache_write: 'cache_write',
  audio_input: 'input_audio',
  audio_output: 'output_audio',
}

const parseDollars = (cost: CatalogueFields): DollarPrice =>
  omitUndefinedMembers(Object.fromEntries(Object.entries(PARTS).map(([part, name]) => [part, parseAmount(cost[name])])))

export function readModelsDevTiers(entry: CatalogueFields): PriceTierRules | undefined {
  const cost = getCost(entry)
  const tierRows = Array.isArray(cost.tiers) ? cost.tiers.filter(isCatalogueFields) : []
  const sized = tierRows.map(
    (tier) => [isCatalogueFields(tier.tier) ? parseTokenCount(tier.tier.size) : 0, tier] as const,
  )
  const over = isCatalogueFields(cost.context_over_200k) ? ([[200_000, cost.context_over_200k]] as const) : []
  const prompt = (sized.length > 0 ? sized : over).flatMap(([above, tier]) => {
    const factor = findTierFactor(parseDollars(cost), parseDollars(tier))
    return above > 0 && factor ? [{ above, factor }] : []
  })
  const service = parseServices(entry)
  const tiers = {
    ...(prompt.length > 0 ? { prompt: prompt.slice(0, 12) } : {}),
    ...(service.length > 0 ? { service: Object.fromEntries(service) } : {}),
  }
  return Object.keys(tiers).length > 0 ? tiers : undefined
}

/** Returns the modes of a model that the service tier selects. */
function parseServices(entry: CatalogueFields): [string, TierFactorSetting][] {
  const { modes } = isCatalogueFields(entry.experimental) ? entry.experimental : {}
  return Object.values(isCatalogueFields(modes) ? modes : {})
    .filter(isCatalogueFields)
    .flatMap((mode) => {
      const body = isCatalogueFields(mode.provider) && isCatalogueFields(mode.provider.body) ? mode.provider.body : {}
      const name = toShortText(body.service_tier)
      const factor = findTierFactor(parseDollars(getCost(entry)), parseDollars(getCost(mode)))
      return name !== '' && factor ? [[name, factor] as [string, TierFactorSetting]] : []
    })
}
