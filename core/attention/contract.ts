import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { words } from '../errors.ts'
import { findingRules, FINDING_SEVERITIES, type FindingKind } from './rules.ts'

/** A finding. The fields fill in the text of its rule; those that the rule does not use are 0 or empty. */
export const AttentionFinding = z.object({
  kind: z.enum(Object.keys(findingRules) as [FindingKind]),
  severity: z.enum(FINDING_SEVERITIES),
  /** Id of the channel, team, invitation or order. */
  id: z.number(),
  /** The channel, the model, the account or the team, or the number of the order. */
  name: z.string(),
  /** The provider's error, without keys. */
  reason: z.string(),
  failed: z.number(),
  /** Attempts on a channel, or calls of a user, in the last two hours. */
  tried: z.number(),
  keys: z.number(),
  calls: z.number(),
  accounts: z.number(),
  /** Dollars, as the provider reports them. */
  usd: z.number(),
  /** Units. */
  quota: z.number(),
  /** Percentage of the maximum. */
  percent: z.number(),
  ms: z.number(),
  /** Amount of a payment and price of its order, each with the currency. */
  paid: z.string(),
  price: z.string(),
})
z.globalRegistry.add(AttentionFinding, { id: 'AttentionItem' })
export type AttentionFinding = z.infer<typeof AttentionFinding>

export const attentionContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/attention',
    access: 'user',
    scope: 'read',
    summary: words(
      'Items that need attention, most urgent first: channels and prices for administrators, their own items for users',
    ),
    reply: z.array(AttentionFinding),
  }),
  firstSteps: endpoint({
    method: 'GET',
    path: '/api/attention/first_steps',
    access: 'admin',
    scope: 'read',
    summary: words('How far a new gateway is on the way to its first answered call'),
    reply: z.object({
      channels: z.number(),
      models: z.array(z.string()),
      unpriced: z.array(z.string()),
      tokens: z.number(),
      newest: z.number(),
      answered: z.boolean(),
    }),
  }),
}
