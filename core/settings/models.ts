// The facts of models that operators have taken over from lists.
import { z } from 'zod'
import { words } from '../errors.ts'
import { NO_REFRESHED_FACTS, type RefreshedFacts } from '../models/model-facts.ts'
import { OPERATIONS } from '../models/operation.ts'
import { json, setting } from './setting.ts'

const Tokens = z.number().int().min(0).max(1_000_000_000)
const Content = z.array(z.string().min(1).max(20)).max(20)

/** Facts of one model; a part that is missing is as it came with Weir. Limits are in tokens. */
export const StatedFacts = z.strictObject({
  context: Tokens.optional(),
  output: Tokens.optional(),
  kind: z.enum(OPERATIONS).optional(),
  reads: Content.optional(),
  writes: Content.optional(),
})
export type StatedFacts = z.infer<typeof StatedFacts>

export const modelSettings = {
  'models.facts': setting({
    value: json<RefreshedFacts>(z.record(z.string().min(1).max(200), StatedFacts), NO_REFRESHED_FACTS),
    label: words('Model facts'),
    help: words('Limits and modalities from lists, by model'),
    card: 'models.global',
    order: 90,
    writer: 'proven_admin',
  }),
}
