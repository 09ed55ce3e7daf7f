// Batches of codes that were created together: they share name, time and creator, but have no batch id.
import { REDEMPTION_STATUS, type RedemptionCode } from '../../../core/redemptions/redemption.ts'

type Code = Pick<RedemptionCode, 'name' | 'created_time' | 'user_id'>

export const isSameBatch = (one: Code, other: Code): boolean =>
  one.name === other.name && one.created_time === other.created_time && one.user_id === other.user_id

/** A page of codes by their creation time, latest first. */
export interface CodePage {
  items: RedemptionCode[]
  next_cursor: string
}

/**
 * Returns all codes of the batch that a code belongs to, in the order they were created.
 * @param read reads a page of the codes whose names begin with this code's name
 */
export async function loadBatch(code: Code, read: (cursor: string) => Promise<CodePage>): Promise<RedemptionCode[]> {
  const found: RedemptionCode[] = []
  for (let cursor = '', more = true; more;) {
    const { items, next_cursor } = await read(cursor)
    found.push(...items.filter((each) => isSameBatch(each, code)))
    // The following pages contain only older codes.
    more = next_cursor !== '' && !items.some(({ created_time }) => created_time < code.created_time)
    cursor = next_cursor
  }
  return found.sort((a, b) => a.id - b.id)
}

/** Counts the codes in each state. */
export function countStates(codes: readonly Pick<RedemptionCode, 'status'>[]) {
  const count = (status: number) => codes.filter((code) => code.status === status).length
  return {
    unused: count(REDEMPTION_STATUS.unused),
    disabled: count(REDEMPTION_STATUS.disabled),
    used: count(REDEMPTION_STATUS.used),
  }
}
