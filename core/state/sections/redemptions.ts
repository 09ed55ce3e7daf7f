// The redemption codes of the state: the number of codes of each value under a name. The codes themselves are in no
// file.
import { z } from 'zod'
import { fail, words } from '../../errors.ts'
import { seconds } from '../../ports/clock.ts'
import type { ChangeStores } from '../../ports/storage.ts'
import { REDEMPTION_CODE_LENGTH, REDEMPTION_STATUS, type RedemptionCode } from '../../redemptions/redemption.ts'
import { type StoredSection, writeSectionAudit } from '../section.ts'
import type { StateEntry } from '../state.ts'

/** Maximum number of codes that a file creates for a name and value. */
const MOST = 10_000

async function everyCode({ redemptions }: ChangeStores): Promise<RedemptionCode[]> {
  const all: RedemptionCode[] = []
  for (;;) {
    const { items, total } = await redemptions.list('', { offset: all.length, limit: 1000 })
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

export const redemptionsStateSection: StoredSection = {
  in: 'stores',
  name: 'redemptions',
  comment: words(
    'Redemption codes by name: the value of a code in quota units, and the number of codes, including used ones. Weir creates the missing ones',
  ),
  entry: z.record(z.string().regex(/^[1-9]\d{0,15}$/), z.number().int().min(1).max(MOST)) as z.ZodType<StateEntry>,
  key: z.string().trim().min(1).max(20),
  whole: true,
  async read(stores) {
    const entries = new Map<string, Record<string, number>>()
    for (const { name, quota } of await everyCode(stores)) {
      const counts = entries.get(name) ?? {}
      entries.set(name, { ...counts, [quota]: (counts[quota] ?? 0) + 1 })
    }
    return { entries, initial: new Map() }
  },
  async writer(to) {
    const { within, caller, clock, random } = to
    const codes = await everyCode(within)
    const record = writeSectionAudit('redemption', to)
    return async ({ key: name, target, fields }) => {
      for (const { field: quota } of fields) {
        const count = Number((target as Record<string, number> | null)?.[quota] ?? 0)
        const there = codes.filter((code) => code.name === name && code.quota === Number(quota))
        const made = { user_id: caller.user?.id ?? 0, name, quota: Number(quota), created_time: seconds(clock) }
        const missing = Math.max(0, count - there.length)
        const keys = Array.from({ length: missing }, () => random.text(REDEMPTION_CODE_LENGTH))
        const inserted = await within.redemptions.insert(keys.map((key) => ({ ...made, key })))
        for (const code of inserted) await record('create', code.id, null, toAuditFields(code))
        const unused = there.filter(({ status }) => status !== REDEMPTION_STATUS.used)
        const gone = unused.slice(0, Math.max(0, there.length - count))
        if (gone.length < there.length - count && target !== null) fail('state.codes_used', { name, count })
        for (const code of gone) {
          await within.redemptions.delete(code.id)
          await record('delete', code.id, toAuditFields(code))
        }
      }
    }
  },
}

const toAuditFields = ({ name, quota, status }: RedemptionCode) => ({ name, quota, status })
