import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { queryFlag } from '../contract/filter.ts'
import { buildPageSchema, pageQueryFields } from '../contract/page.ts'
import { words } from '../errors.ts'
import { PriceLine, ShownPrice } from '../pricing/contract.ts'
import { OPERATIONS } from '../models/operation.ts'
import { PriceChange } from '../settings/price-change.ts'
import { PRICE_LIST_KINDS, CATALOGUE_SKIP_REASONS } from './catalogue.ts'
import { PRICE_DIFFERENCE_STATUSES } from './difference.ts'
import { DOLLAR_PRICE_NAMES } from './dollars.ts'
import { MODEL_FACT_NAMES } from './facts-difference.ts'
import { priceFieldDeclarations } from './fields.ts'
import { PRICE_LINE_SOURCES, PRICE_ROW_SOURCES } from './price-rows.ts'

const PriceRow = z.object({
  model: z.string(),
  channel: z.string(),
  source: z.enum(PRICE_ROW_SOURCES),
  /** The name of the model whose price it shares, if any. */
  as: z.string(),
  served: z.boolean(),
  version: z.string(),
  price: ShownPrice.nullable(),
  prices: z.array(PriceLine.extend({ set_by: z.enum(PRICE_LINE_SOURCES) })),
  /**
   * The stored parts of its price, or of the model whose price it shares, in dollars and as stored; the rest follows
   * rules.
   */
  dollars: z.partialRecord(z.enum(DOLLAR_PRICE_NAMES), z.number()),
  said: ShownPrice,
})

const ShownChange = PriceChange.omit({ before: true, after: true }).extend({
  from: ShownPrice.nullable(),
  to: ShownPrice.nullable(),
  was: z.array(PriceLine),
  became: z.array(PriceLine),
})

/** Quota units. */
const bills = { users: z.number(), calls: z.number(), charged: z.number(), would_charge: z.number() }

/** Facts of a model; limits in tokens. */
const ShownFacts = z.object({
  context: z.number().optional(),
  output: z.number().optional(),
  kind: z.enum(OPERATIONS).optional(),
  reads: z.array(z.string()).optional(),
  writes: z.array(z.string()).optional(),
})
z.globalRegistry.add(ShownFacts, { id: 'ShownFacts' })

const Difference = z.object({
  model: z.string(),
  status: z.enum(PRICE_DIFFERENCE_STATUSES),
  version: z.string(),
  served: z.boolean(),
  /** The model's name in the catalogue, if it differs. */
  as: z.string(),
  provider: z.string(),
  date: z.string(),
  /** The components of the price and the kinds of tiers that differ. */
  differs: z.array(z.string()),
  now: z.array(PriceLine),
  there: z.array(PriceLine),
  /** The price to store. */
  to: ShownPrice.nullable(),
  context: z.number(),
  longest: z.number(),
  reads: z.array(z.string()),
  writes: z.array(z.string()),
  facts_differ: z.array(z.enum(MODEL_FACT_NAMES)),
  facts_now: ShownFacts,
  facts_there: ShownFacts,
  /** The facts to store; null if all of them came with Weir. */
  facts_to: ShownFacts.nullable(),
  facts_version: z.string(),
  ...bills,
})

const { model, channel, version, ratios, dollars, whole, source, changes, tried, days } = priceFieldDeclarations
const { file, address, provider, models, all, change, force } = priceFieldDeclarations

export const pricesContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/prices/',
    access: 'admin',
    scope: 'read',
    summary: words(
      'Prices of models, the source of each price, and its version: models that are served or priced here; with all=true every one that has a price, with bought=true purchase prices',
    ),
    query: z.object({ keyword: z.string().default(''), all: queryFlag, bought: queryFlag }),
    reply: z.array(PriceRow),
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/prices/',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words(
      'Set the price of one model, in dollars (usd, with tools, image multipliers and tiers in price) or as ratios (price), as it is sold or as it is bought; purchase prices are for the super administrator',
    ),
    body: z.object({
      model,
      channel: channel.default(''),
      usd: dollars.optional(),
      price: ratios.optional(),
      whole,
      version: version.optional(),
      source,
    }),
    reply: PriceRow,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/prices/remove',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words('Remove the stored sales or purchase price of one model'),
    body: z.object({ model, channel: channel.default(''), version: version.optional() }),
    reply: PriceRow,
  }),
  missing: endpoint({
    method: 'GET',
    path: '/api/prices/missing',
    access: 'admin',
    scope: 'read',
    summary: words('Models without a price that channels serve, or that were called in the last 30 days'),
    reply: z.array(
      z.object({ model: z.string(), served: z.boolean(), users: z.number(), calls: z.number(), charged: z.number() }),
    ),
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/prices/history',
    access: 'admin',
    scope: 'read',
    summary: words('Price changes, newest first; prices.undo reverts the last one of a model'),
    query: z.object({ ...pageQueryFields, model: z.string().default(''), channel: z.string().default('') }),
    reply: buildPageSchema(ShownChange),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/prices/preview',
    access: 'admin',
    scope: 'all',
    summary: words(
      'Compare prices with others: with changes that are tried, or with a catalogue from a file or an address, without any of these with the one that came with Weir: what each model costs here and there, which limits, kinds and modalities differ, and what the change would have meant for the bills of the last days. Changes nothing',
    ),
    body: z.object({
      file: file.optional(),
      address: address.optional(),
      changes: tried.optional(),
      days,
      provider,
      models,
      all,
    }),
    reply: z.array(Difference),
    replyFields: z.object({
      source: z.string(),
      /** The format of the list; `own` for a preview of changes. */
      shape: z.enum([...PRICE_LIST_KINDS, 'own']),
      skipped: z.array(z.object({ model: z.string(), reason: z.enum(CATALOGUE_SKIP_REASONS) })),
    }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/prices/undo',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words(
      'Restore the price that a model had before a change; refused if the price has changed again since, unless forced. The history has both changes',
    ),
    body: z.object({ change, force }),
    reply: PriceRow,
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/prices/apply',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words(
      'Give the chosen models the prices and facts of a preview, or prices of the history; refused as a whole where one of them has another version by now',
    ),
    body: z.object({ source, changes }),
    reply: z.array(PriceRow),
  }),
}
