import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { words } from '../errors.ts'
import { stateFields } from './state-fields.data.ts'

const Said = z.object({ en: z.string(), zh: z.string() })
const Thing = z.object({ section: z.string(), key: z.string() })

/** The changes of a file; secrets are masked. */
const StatePlan = z.object({
  /** Digest of the current state and of the changes. */
  digest: z.string(),
  changes: z.array(
    Thing.extend({
      action: z.enum(['create', 'change', 'remove']),
      fields: z.array(z.object({ field: z.string(), from: z.json(), to: z.json() })),
      /** The file that owns it; empty for none. */
      owner: z.string(),
      /** true if it was changed in Weir after the file was applied. */
      drift: z.boolean(),
    }),
  ),
  /** Things that the file does not name and that stay. */
  kept: z.array(Thing),
  /** Things that the file managed and no longer names. */
  released: z.array(Thing),
  models: z.array(
    z.object({
      model: z.string(),
      before: z.number(),
      after: z.number(),
      gains: z.array(z.string()),
      loses: z.array(z.string()),
    }),
  ),
  /** Quota units of the last seven days. */
  bills: z.object({
    people: z.number(),
    charged: z.number(),
    would_charge: z.number(),
    rows: z.array(
      z.object({ user_id: z.number(), username: z.string(), charged: z.number(), would_charge: z.number() }),
    ),
  }),
})
export type StatePlan = z.infer<typeof StatePlan>

const ManagedThing = Thing.extend({
  /** The name of the file. */
  source: z.string(),
  /** Epoch seconds. */
  applied_at: z.number(),
  /** Those that the file names; the empty one of a bare value. */
  fields: z.array(z.string()),
  /** Those of them that are not as they were applied. */
  drifted: z.array(z.string()),
})
export type ManagedThing = z.infer<typeof ManagedThing>

const { document, unresolved, source, prune, digest, seal_to, people } = declareShapeFields(stateFields, {
  document: z.record(z.string(), z.unknown()),
  unresolved: z.array(z.array(z.string()).min(1)).max(10_000).default([]),
  source: z.string().trim().min(1).max(200).default('weir.yaml'),
  prune: z.boolean().default(false),
  digest: z.string().max(200).optional(),
  seal_to: z.string().trim().max(5000).default(''),
  people: z.boolean().default(false),
})

export const stateContract = {
  export: endpoint({
    method: 'POST',
    path: '/api/state/export',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words(
      'The whole configuration as one document: settings, groups, channels, prices, sign-in services, teams and redemption codes; secrets as references, or sealed for a recipient',
    ),
    body: z.object({ seal_to, people }),
    reply: z.object({ document: z.record(z.string(), z.json()), comments: z.record(z.string(), Said) }),
  }),
  plan: endpoint({
    method: 'POST',
    path: '/api/state/plan',
    large: true,
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words(
      'Preview the changes of a document, field by field; the models that gain or lose channels; and the users whose bills of the last week would have been different. Changes nothing',
    ),
    body: z.object({ document, unresolved, source, prune }),
    reply: StatePlan,
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/state/apply',
    large: true,
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words('Apply a document completely or not at all; with the digest of a plan, exactly that plan'),
    body: z.object({ document, unresolved, source, prune, digest }),
    reply: StatePlan,
  }),
  managed: endpoint({
    method: 'GET',
    path: '/api/state/managed',
    access: 'admin',
    scope: 'read',
    summary: words('List what files manage, and the differences from what was applied'),
    reply: z.array(ManagedThing),
  }),
}
