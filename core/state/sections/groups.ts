// The groups of the state: what each costs, and who may choose it.
import { z } from 'zod'
import { words } from '../../errors.ts'
import { findGroupTerms, withoutGroup, withTerms, type GroupTerms } from '../../groups/tables.ts'
import type { Settings } from '../../settings/index.ts'
import type { SettingsSection } from '../section.ts'
import type { Entry } from '../state.ts'
import { applyInOrder } from './in-turn.ts'

const Group = z.strictObject({
  ratio: z.number().min(0).optional(),
  description: z.string().max(200).nullable().optional(),
  special: z.record(z.string(), z.number().min(0)).optional(),
})
const NEW: GroupTerms = { ratio: 1, description: null, special: {} }

const listGroups = (settings: Settings) =>
  new Map(
    Object.keys(settings.GroupRatio).map((name) => [name, { ...findGroupTerms(name, settings)! } as unknown as Entry]),
  )

export const groupsSection: SettingsSection = {
  in: 'settings',
  name: 'groups',
  comment: words(
    'Groups: the multiplier of each, what users read who may choose it (null: nobody may), and special multipliers by the group of the user',
  ),
  entry: Group as z.ZodType<Entry>,
  key: z.string().regex(/^[^,\x00-\x1f\x7f-\x9f]{1,64}$/),
  defaults: NEW as unknown as Entry,
  read: (settings, defaults) => ({ entries: listGroups(settings), initial: listGroups(defaults) }),
  written: (changes, settings) =>
    applyInOrder(changes, settings, ({ key, target }, now) => {
      if (target === null) return withoutGroup(key, now)
      return withTerms(key, { ...(findGroupTerms(key, now) ?? NEW), ...(target as Partial<GroupTerms>) }, now)
    }),
}
