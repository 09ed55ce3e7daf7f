import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { namedSchemas } from '../contract/named-schemas.ts'

/** What a model costs before the multiplier of a group. */
export const PricedModel = z.object({
  model_name: z.string(),
  /** 0: by usage, 1: by call. */
  quota_type: z.union([z.literal(0), z.literal(1)]),
  /** Input, relative to 2 USD per 1M tokens; 0 where it is priced by call. */
  model_ratio: z.number(),
  /** USD per call; 0 where it is priced by usage. */
  model_price: z.number(),
  /** The provider that is asked first. */
  owner_by: z.string(),
  completion_ratio: z.number(),
  /** Groups that can call it, of those the viewer may use. */
  enable_groups: z.array(z.string()),
  /** False where nobody has set a price: it can be called all the same, at the one that is shown. */
  has_price: z.boolean(),
})
namedSchemas.add(PricedModel, { id: 'PricedModel' })
export type PricedModel = z.infer<typeof PricedModel>

export const pricing = {
  list: endpoint({
    method: 'GET',
    path: '/api/pricing',
    access: 'public',
    summary: 'What the models cost that the viewer can call, with the groups open to them and the multiplier of each',
    reply: z.array(PricedModel),
    beside: z.object({
      group_ratio: z.record(z.string(), z.number()),
      /** Group to description. */
      usable_group: z.record(z.string(), z.string()),
    }),
  }),
}
