// A catalogue of prices from any publisher: the price and the abilities of each of its models, in one form.
import { z } from 'zod'
import { asObject } from '../dialects/json/json-value.ts'
import { GatewayError } from '../errors.ts'
import type { Operation } from '../models/operation.ts'
import { PriceFields } from '../settings/channel-price.ts'

/** The facts that a list states about a model, in addition to its price. */
export interface ListedFacts {
  /** Most of prompt and answer together, in tokens; 0 if the list does not state it. */
  context: number
  /** The longest answer, in tokens; 0 if the list does not state it. */
  longest: number
  /** The kinds of content that it reads and writes, such as `text` and `image`; empty if the list does not state them. */
  reads: readonly string[]
  writes: readonly string[]
  /** The kind of its calls; undefined if the list does not state it. */
  kind?: Operation | undefined
}

/** The entry of one model in a catalogue. */
export interface CatalogueEntry extends ListedFacts {
  model: string
  price: PriceFields
  /** The provider of this offer, if the catalogue has several; else empty. */
  provider: string
  /** The date of the price, such as `2026-11-22`; empty if it is unknown. */
  date: string
}

export interface PriceCatalogue {
  /** The format of the list. */
  shape: ListKind
  entries: CatalogueEntry[]
  /** The entries that could not be read, with the reason. */
  skipped: { model: string; reason: SkipReason }[]
}

export const PRICE_LIST_KINDS = ['builtin', 'litellm', 'models.dev', 'pricing', 'ratios'] as const
export type ListKind = (typeof PRICE_LIST_KINDS)[number]

/** It has no price; one that no table can hold; or several that are not the maker's and differ. */
export const CATALOGUE_SKIP_REASONS = ['no_price', 'unusable', 'several'] as const
export type SkipReason = (typeof CATALOGUE_SKIP_REASONS)[number]

/** More models than any catalogue has. */
export const MAX_CATALOGUE_MODELS = 20_000

/** A JSON object with any content. */
export type CatalogueFields = Readonly<Record<string, unknown>>
export const isCatalogueFields = (value: unknown): value is CatalogueFields => asObject(value) !== undefined

const Finite = z.number().min(0).max(1e12)
const NUMERIC = /^\d{0,30}(\.\d{0,40})?(e-?\d{1,2})?$/i

/** A number of at least 0, also one that is written as a text; undefined for everything else. */
export function parseAmount(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' && NUMERIC.test(value) ? Number(value) : value
  return Finite.safeParse(number).data
}

/** Parses a number of tokens; 0 if the value is not one. */
export const parseTokenCount = (value: unknown): number => {
  const amount = parseAmount(value)
  return amount !== undefined && Number.isSafeInteger(amount) ? amount : 0
}

export const toShortText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '')

export const parseTextList = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string').slice(0, 20) : []

const DAY = /^\d{4}-\d\d-\d\d/

/** Parses the day at the start of a text; empty if there is none. */
export const parseDay = (value: unknown): string => DAY.exec(toShortText(value))?.[0] ?? ''

const NAME = /^(?!__proto__$)[^\0-\x1f\x7f\p{Cs}]{1,200}$/u

/** A name that a table of prices can have: one line, and not the one that no table can hold. */
export const isModelName = (name: string): boolean => NAME.test(name) && !name.endsWith('*')

/**
 * Reads the models of a list one by one, so that an unreadable one does not affect the others.
 * @param read gives the entry, a reason to skip it, or nothing for what is no model
 */
export function parseCatalogueEntries<T>(
  models: Iterable<readonly [model: string, T]>,
  read: (model: string, value: T) => Omit<CatalogueEntry, 'model'> | SkipReason | undefined,
): Pick<PriceCatalogue, 'entries' | 'skipped'> {
  const entries = new Map<string, CatalogueEntry>()
  const skipped: PriceCatalogue['skipped'] = []
  for (const [model, value] of models) {
    let found = isModelName(model) ? attempt(() => read(model, value)) : 'unusable'
    if (typeof found === 'object' && !PriceFields.safeParse(found.price).success) found = 'unusable'
    if (typeof found === 'string') skipped.push({ model: model.slice(0, 200), reason: found })
    else if (found) entries.set(model, { model, ...found })
  }
  return { entries: [...entries.values()], skipped }
}

/** A price that cannot be kept is a reason to skip it. */
function attempt<T>(read: () => T): T | SkipReason {
  try {
    return read()
  } catch (error) {
    if (error instanceof GatewayError) return 'unusable'
    throw error
  }
}
