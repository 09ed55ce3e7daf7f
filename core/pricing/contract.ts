import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { words } from '../errors.ts'
import { OPERATIONS } from '../models/operation.ts'
import { declarePricePartFields } from '../settings/channel-price.ts'

/** One row of a price list. */
export const PriceLine = z.object({
  /** A name of `COMPONENTS`. */
  component: z.string(),
  /** Size or quality of a picture. */
  label: z.string().optional(),
  unit: z.enum(['token', 'character', 'second', 'piece', 'call']),
  per: z.number(),
  /** Dollars for `per` units. */
  usd: z.number(),
})

const TierFactors = z.object({
  input: z.number(),
  output: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
})

const window = {
  time_zone: z.string(),
  days: z.array(z.number()).optional(),
  hours: z.array(z.tuple([z.number(), z.number()])).optional(),
}

const Tier = z.object({
  kind: z.enum(['prompt', 'service', 'time', 'cache']),
  /** For `prompt`: the tier applies to prompts with more tokens than this. */
  above: z.number().optional(),
  /** For `service`: the tier that served it. For `cache`: its lifetime. */
  name: z.string().optional(),
  /** For `time`. */
  ...window,
  time_zone: window.time_zone.optional(),
  factor: TierFactors,
})

/** Its numbers by declared name. */
const parts = declarePricePartFields(z.number().optional())

/** The parts of a price other than its numbers; absent if it has none. */
const extras = {
  /** USD per 1000 calls of each. */
  tools: z.record(z.string(), z.number()).optional(),
  image_multipliers: z.record(z.string(), z.number()).optional(),
}

const ShownFactor = z.union([z.number(), TierFactors.partial({ cache_read: true, cache_write: true })])

/** A price as the settings keep it. */
export const ShownPrice = z.object({
  ...parts,
  ...extras,
  tiers: z
    .object({
      prompt: z.array(z.object({ above: z.number(), factor: ShownFactor })).optional(),
      service: z.record(z.string(), ShownFactor).optional(),
      time: z.array(z.object({ ...window, factor: ShownFactor })).optional(),
      cache: z.object({ '5m': z.number().optional(), '1h': z.number().optional() }).optional(),
    })
    .optional(),
})
z.globalRegistry.add(ShownPrice, { id: 'ShownPrice' })

/** The price of a model before the multiplier of a group. */
export const PricedModel = z.object({
  ...parts,
  ...extras,
  model_name: z.string(),
  /** 0: by usage, 1: by call. */
  quota_type: z.union([z.literal(0), z.literal(1)]),
  /** Input ratio, relative to 2 USD per 1M tokens; 0 for a price by call. */
  model_ratio: z.number(),
  /** USD per call; 0 for a price by usage. */
  model_price: z.number(),
  /** The provider of the first channel. */
  owner_by: z.string(),
  completion_ratio: z.number(),
  /** Groups that can call it, of those the viewer may use. */
  enable_groups: z.array(z.string()),
  /** false if the model has no price of its own. It can still be called, at the price shown. */
  has_price: z.boolean(),
  /** The day on which its vendor ended it, such as `2026-09-24`. */
  ended: z.string().optional(),
  /** Maximum tokens of prompt and answer together, and of one answer; missing if unknown. */
  context: z.number().optional(),
  longest: z.number().optional(),
  kind: z.enum(OPERATIONS),
  /** The kinds of content of input and output; missing if unknown. */
  reads: z.array(z.string()).optional(),
  writes: z.array(z.string()).optional(),
  prices: z.array(PriceLine),
  tiers: z.array(Tier),
})
z.globalRegistry.add(PricedModel, { id: 'PricedModel' })
export type PricedModel = z.infer<typeof PricedModel>

export const pricingContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/pricing',
    access: 'public',
    summary: words(
      'Prices of the models that the viewer can call, with the available groups and the multiplier of each',
    ),
    reply: z.array(PricedModel),
    replyFields: z.object({
      group_ratio: z.record(z.string(), z.number()),
      /** Group to description. */
      usable_group: z.record(z.string(), z.string()),
    }),
  }),
}
