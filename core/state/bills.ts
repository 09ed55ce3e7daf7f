// The effect of a change: the models that gain or lose channels, and the users whose bills it would have changed.
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import { getGroupRatio } from '../groups/group.ts'
import { findPrice } from '../pricing/price-book.ts'
import { estimateBills } from '../prices/difference.ts'
import type { Settings } from '../settings/index.ts'
import type { RollUp } from '../usage/roll-up.ts'
import { toMeasures } from '../usage/report.ts'
import { COUNTED_MEASURES, SLOT_SECONDS, getSlotStart } from '../usage/sums.ts'
import type { StateEntries, StateEntry } from './state.ts'

export interface ModelMove {
  model: string
  /** Enabled channels that serve it. */
  before: number
  after: number
  /** Slugs. */
  gains: string[]
  loses: string[]
}

const served = (entries: StateEntries): Map<string, Set<string>> => {
  const by = new Map<string, Set<string>>()
  for (const [slug, entry] of entries) {
    const { enabled, models } = (entry ?? {}) as { enabled?: boolean; models?: string[] }
    if (enabled !== false) for (const model of models ?? []) by.set(model, (by.get(model) ?? new Set()).add(slug))
  }
  return by
}

/** Finds the models that gain or lose enabled channels, by name. */
export function findModelMoves(before: StateEntries, after: StateEntries): ModelMove[] {
  const [had, has] = [served(before), served(after)]
  return [...new Set([...had.keys(), ...has.keys()])].sort().flatMap((model) => {
    const [old, now] = [had.get(model) ?? new Set<string>(), has.get(model) ?? new Set<string>()]
    const gains = [...now].filter((slug) => !old.has(slug))
    const loses = [...old].filter((slug) => !now.has(slug))
    return gains.length + loses.length > 0 ? [{ model, before: old.size, after: now.size, gains, loses }] : []
  })
}

export interface BillMove {
  user_id: number
  username: string
  /** Quota units of the last seven days: as charged, and at the new prices. */
  charged: number
  would_charge: number
}

const LAST_WEEK = 7 * 24 * 3600
/** The number of sums by user, model and group that are compared, largest first. */
const MOST = 1000

/** Finds the users whose bills of the last week would have been different, largest difference first, and their number. */
export async function findBillMoves(
  { storage, clock, rollUp }: { storage: Storage; clock: Clock; rollUp: RollUp },
  before: Settings,
  after: Settings,
): Promise<BillMove[]> {
  await rollUp.flush()
  const to = getSlotStart(seconds(clock)) + SLOT_SECONDS
  const from = getSlotStart(to - LAST_WEEK)
  const question = { from, to, starts: [from], by: ['user', 'model', 'group'] as const, filters: {} }
  const { rows } = await storage.usage.ask({ ...question, order: 'quota', limit: MOST, times: false })
  const ids = [...new Set(rows.map(({ by }) => Number(by.user)))]
  const people = new Map(await Promise.all(ids.map(async (id) => [id, await storage.users.find(id)] as const)))
  const sums = new Map<number, BillMove>()
  for (const { by, counts } of rows) {
    const [user_id, model, group] = [Number(by.user), String(by.model), String(by.group)]
    const user = people.get(user_id)
    const use = toModelUse(model, counts)
    const prices = { now: findPrice(model, before, false), there: findPrice(model, after, false) }
    const { charged, would_charge } = estimateBills(use, prices, after.QuotaPerUnit)
    const [ratio, other] = [getGroupRatio(group, before, user?.group), getGroupRatio(group, after, user?.group)]
    const would = ratio === 0 ? charged : Math.round((would_charge * other) / ratio)
    const sum = sums.get(user_id) ?? { user_id, username: user?.username ?? '', charged: 0, would_charge: 0 }
    sums.set(user_id, { ...sum, charged: sum.charged + charged, would_charge: sum.would_charge + would })
  }
  const difference = ({ charged, would_charge }: BillMove) => Math.abs(would_charge - charged)
  return [...sums.values()].filter((sum) => difference(sum) > 0).sort((a, b) => difference(b) - difference(a))
}

function toModelUse(model: string, counts: readonly number[]) {
  const of = (name: (typeof COUNTED_MEASURES)[number]) => counts[COUNTED_MEASURES.indexOf(name)] ?? 0
  const [cached, written] = [of('cached_tokens'), of('written_tokens')]
  const { failed } = toMeasures(counts)
  const input = Math.max(0, of('prompt_tokens') + of('beside_tokens') - cached - written)
  return {
    model,
    users: 1,
    calls: of('calls') - failed,
    refused: of('error_no_price'),
    charged: of('quota'),
    input,
    cached,
    written,
    output: of('output_tokens'),
  }
}

/** Returns the entries with these changes applied, for comparisons. */
export const applyOverlayEntries = (
  before: StateEntries,
  changes: readonly { key: string; target: StateEntry }[],
): StateEntries => {
  const after = new Map(before)
  for (const { key, target } of changes) {
    if (target === null) after.delete(key)
    else after.set(key, { ...(before.get(key) as object), ...(target as object) } as StateEntry)
  }
  return after
}
