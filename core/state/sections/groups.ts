// The groups of the state: what each costs, and who may choose it.
import { z } from 'zod'
import { words } from '../../errors.ts'
import { findGroupTerms, removeGroupTerms, setGroupTerms, type GroupTerms } from '../../groups/tables.ts'
import type { Settings } from '../../settings/index.ts'
import type { SettingsSection } from '../section.ts'
import type { StateEntry } from '../state.ts'
import { applyInOrder } from './in-turn.ts'

const Group = z.strictObject({
  ratio: z.number().min(0).optional(),
  description: z.string().max(200).nullable().optional(),
  special: z.record(z.string(), z.number().min(0)).optional(),
})
const NEW: GroupTerms = { ratio: 1, description: null, special: {} }

const listGroups = (settings: Settings) =>
  new Map(
    Object.keys(settings.GroupRatio).map((name) => [
      name,
      { ...findGroupTerms(name, settings)! } as unknown as StateEntry,
    ]),
  )

export const groupsStateSection: SettingsSection = {
  in: 'settings',
  name: 'groups',
  comment: words(
    'Groups: the multiplier of each, the description for users who may choose it (null: not selectable), and special multipliers by the group of the user',
  ),
  entry: Group as z.ZodType<StateEntry>,
  key: z.string().regex(/^[^,\x00-\x1f\x7f-\x9f]{1,64}$/),
  defaults: NEW as unknown as StateEntry,
  read: (settings, defaults) => ({ entries: listGroups(settings), initial: listGroups(defaults) }),
  written: (changes, settings) =>
    applyInOrder(changes, settings, ({ key, target }, now) => {
      if (target === null) return removeGroupTerms(key, now)
      return setGroupTerms(key, { ...(findGroupTerms(key, now) ?? NEW), ...(target as Partial<GroupTerms>) }, now)
    }),
}
