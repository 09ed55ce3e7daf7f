// LiteLLM's `model_prices_and_context_window.json`: model → USD per token, picture, second or query, and what it can do.
import { omitUndefinedMembers } from '../dialects/json/json-value.ts'
import type { PriceTierRules } from '../settings/price-tiers.ts'
import { ExactNumber } from '../pricing/exact.ts'
import type { Operation } from '../models/operation.ts'
import type { PriceCatalogue, CatalogueFields, ListedFacts } from './catalogue.ts'
import {
  parseAmount,
  parseDay,
  parseCatalogueEntries,
  isCatalogueFields,
  toShortText,
  parseTokenCount,
} from './catalogue.ts'
import { findTierFactor, toPriceFields, type DollarPrice } from './dollars.ts'

/** Entries that are no models: an example, and rules for names. */
const NO_MODELS = ['sample_spec', 'fallback_generalizations']

const isEntry = (value: unknown): value is CatalogueFields =>
  isCatalogueFields(value) &&
  ('litellm_provider' in value || 'input_cost_per_token' in value || 'output_cost_per_image' in value)

export const isLiteLlm = (list: unknown): list is CatalogueFields =>
  isCatalogueFields(list) && Object.entries(list).some(([name, value]) => !NO_MODELS.includes(name) && isEntry(value))

export function readLiteLlm(list: CatalogueFields): PriceCatalogue {
  const models = Object.entries(list)
    .filter(([name]) => !NO_MODELS.includes(name))
    .map(([name, entry]) => [makersName(name, list), entry] as const)
  return {
    shape: 'litellm',
    ...parseCatalogueEntries(models, (_, entry) => {
      if (!isCatalogueFields(entry)) return 'unusable'
      const dollars = readLiteLlmPrice(entry)
      if (typeof dollars === 'string') return dollars
      return {
        price: toPriceFields(dollars, readLiteLlmTiers(entry)),
        provider: toShortText(entry.litellm_provider),
        date: parseDay(entry.last_updated),
        ...readLiteLlmFacts(entry),
      }
    }),
  }
}

/** Reads the price of one entry, without its tiers, or the reason why it has none that Weir can charge by. */
export function readLiteLlmPrice(entry: CatalogueFields): DollarPrice | 'no_price' | 'unusable' {
  const dollars = parseDollars(entry)
  if (!costs(dollars) && !isFree(entry)) return 'unusable'
  const isPriced = dollars.input !== undefined || dollars.call !== undefined || dollars.video !== undefined
  return isPriced ? dollars : 'no_price'
}

/** Longest prompts of OpenAI's models that the answer comes on top of: 400,000 and 1,050,000 tokens together. */
const PROMPTS_WITHOUT_ANSWER: readonly number[] = [272_000, 922_000]

/** Reads the facts of one entry. This list has the longest prompt, which of most vendors' models is the whole context. */
export function readLiteLlmFacts(entry: CatalogueFields): ListedFacts {
  const prompt = parseTokenCount(entry.max_input_tokens ?? entry.max_tokens)
  const longest = parseTokenCount(entry.max_output_tokens ?? entry.max_tokens)
  return {
    context: PROMPTS_WITHOUT_ANSWER.includes(prompt) ? prompt + longest : prompt,
    longest,
    ...parseModalities(entry),
    kind: KINDS[toShortText(entry.mode)],
  }
}

/** The prefix of a vendor in the list, followed by the vendor's own model name. */
const MAKER = /^(deepseek|xai|mistral|gemini|dashscope|moonshot|zai|minimax|perplexity|cohere|voyage|jina_ai)\/([^/]+)$/

/**
 * Returns the vendor's name of a model: `deepseek/deepseek-chat` is LiteLLM's routing, and all others use the name
 * alone.
 */
function makersName(name: string, list: CatalogueFields): string {
  const ownName = MAKER.exec(name)?.[2]
  return ownName && !Object.hasOwn(list, ownName) ? ownName : name
}

/** Seconds of audio that count as 1M tokens: a minute is 1000 tokens. */
const SECONDS_OF_MILLION = 60_000

/** Returns USD per 1M units from a price per unit. */
function per(entry: CatalogueFields, name: string, by = 1_000_000): number | undefined {
  const amount = parseAmount(entry[name])
  return amount === undefined ? undefined : new ExactNumber(amount).times(by).toNumber()
}

/** @param behind what the names of a tier's costs end in */
const tokensCost = (entry: CatalogueFields, behind = ''): DollarPrice =>
  omitUndefinedMembers({
    input: per(entry, `input_cost_per_token${behind}`),
    output: per(entry, `output_cost_per_token${behind}`),
    cache_read:
      per(entry, `cache_read_input_token_cost${behind}`) ?? per(entry, `input_cost_per_token_cache_hit${behind}`),
    cache_write: per(entry, `cache_creation_input_token_cost${behind}`),
  })

function parseDollars(entry: CatalogueFields): DollarPrice {
  const tokens = tokensCost(plain(entry))
  // Speech is sold by the character, transcripts by the second. For other modes these costs are those of self-hosted
  // hardware.
  const isSound = toShortText(entry.mode).startsWith('audio_')
  const unit = isSound
    ? per(entry, 'input_cost_per_character') || per(entry, 'input_cost_per_second', SECONDS_OF_MILLION)
    : undefined
  const input = tokens.input || unit || tokens.input
  // Tokens may be free while pieces are not.
  const pieces = input || tokens.output ? {} : parsePiecePrices(entry)
  if (input === undefined || costs(pieces)) return pieces
  return {
    ...tokens,
    input,
    ...omitUndefinedMembers({
      // A model that outputs pictures is used for them, and its text then has the same price.
      output: per(entry, 'output_cost_per_image_token') ?? tokens.output,
      cache_write_1h: per(entry, 'cache_creation_input_token_cost_above_1hr'),
      image_input: per(entry, 'input_cost_per_image_token'),
      audio_input: per(entry, 'input_cost_per_audio_token'),
      audio_output: per(entry, 'output_cost_per_audio_token'),
    }),
  }
}

/** Returns the prices by picture, by second of film and by query. */
function parsePiecePrices(entry: CatalogueFields): DollarPrice {
  const one = (...names: string[]) => names.map((name) => per(entry, name, 1)).find((usd) => usd !== undefined)
  if (entry.mode === 'video_generation') {
    return omitUndefinedMembers({ video: one('output_cost_per_video_per_second', 'output_cost_per_second') })
  }
  const pictures = toShortText(entry.mode).startsWith('image_') ? ['output_cost_per_image', 'input_cost_per_image'] : []
  return omitUndefinedMembers({ call: one(...pictures, 'input_cost_per_query', 'input_cost_per_request') })
}

const costs = (dollars: DollarPrice): boolean => Object.values(dollars).some((usd) => usd > 0)

/** Nothing of it costs anything; of what no table can hold (a page, a pixel, an hour of a machine) that is not so. */
const isFree = (entry: CatalogueFields): boolean =>
  Object.keys(entry).every((name) => !/_cost(_|$)/.test(name) || !parseAmount(entry[name]))

/** Some list a price for each range of prompt lengths; the first is the plain one. */
const getRanges = ({ tiered_pricing: ranges }: CatalogueFields): CatalogueFields[] =>
  Array.isArray(ranges) ? ranges.filter(isCatalogueFields) : []
const plain = (entry: CatalogueFields): CatalogueFields => ({ ...entry, ...getRanges(entry)[0] })

const ABOVE = /^input_cost_per_token_above_(\d{1,6})k_tokens$/
/** The suffixes of the service tiers in the list, and their names in Weir. */
const SERVICES = { _batches: 'batch', _flex: 'flex', _priority: 'priority' }

export function readLiteLlmTiers(entry: CatalogueFields): PriceTierRules | undefined {
  const base = tokensCost(plain(entry))
  const named = Object.keys(entry).flatMap((name) => {
    const thousands = ABOVE.exec(name)?.[1]
    return thousands ? [[Number(thousands) * 1000, tokensCost(entry, `_above_${thousands}k_tokens`)] as const] : []
  })
  const ranges = getRanges(entry).map(
    (range) => [Array.isArray(range.range) ? parseTokenCount(range.range[0]) : 0, tokensCost(range)] as const,
  )
  const prompt = [...named, ...ranges].flatMap(([above, cost]) => {
    const factor = findTierFactor(base, cost)
    return above > 0 && factor ? [{ above, factor }] : []
  })
  const service = Object.entries(SERVICES).flatMap(([behind, name]) => {
    const factor = findTierFactor(base, tokensCost(entry, behind))
    return factor ? [[name, factor] as const] : []
  })
  const tiers = {
    ...(prompt.length > 0 ? { prompt: prompt.sort((a, b) => a.above - b.above).slice(0, 12) } : {}),
    ...(service.length > 0 ? { service: Object.fromEntries(service) } : {}),
  }
  return Object.keys(tiers).length > 0 ? tiers : undefined
}

const READS = {
  supports_vision: 'image',
  supports_audio_input: 'audio',
  supports_video_input: 'video',
  supports_pdf_input: 'pdf',
}
const WRITES: Readonly<Record<string, string>> = {
  image_generation: 'image',
  image_edit: 'image',
  video_generation: 'video',
  audio_speech: 'audio',
  embedding: 'vector',
}

/** The kinds of models in Weir, by the list's modes. */
const KINDS: Readonly<Record<string, Operation>> = {
  chat: 'chat',
  completion: 'chat',
  responses: 'chat',
  embedding: 'embeddings',
  moderation: 'moderation',
  rerank: 'rerank',
  image_generation: 'images',
  image_edit: 'images',
  audio_speech: 'speech',
  audio_transcription: 'transcription',
  realtime: 'realtime',
  video_generation: 'video',
}

function parseModalities(entry: CatalogueFields) {
  const mode = toShortText(entry.mode)
  const more = Object.entries(READS).flatMap(([flag, kind]) => (entry[flag] === true ? [kind] : []))
  // An entry of prices alone states nothing.
  const isStated = Object.keys(entry).some((name) => name.startsWith('supports_'))
  const reads = mode === 'audio_transcription' ? ['audio'] : isStated ? ['text', ...more] : []
  const written = WRITES[mode] ?? (mode === '' ? [] : 'text')
  const audioOutput = entry.supports_audio_output === true ? 'audio' : []
  return { reads, writes: [...new Set([written, audioOutput].flat())] }
}
