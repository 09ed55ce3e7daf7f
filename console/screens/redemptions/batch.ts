// Codes that were made together: they have their name, their time and their maker in common, and no number of their own.
import { REDEMPTION_STATUS, type Redemption } from '../../../core/redemptions/redemption.ts'

type Code = Pick<Redemption, 'name' | 'created_time' | 'user_id'>

export const isOfBatch = (one: Code, other: Code): boolean =>
  one.name === other.name && one.created_time === other.created_time && one.user_id === other.user_id

/** A page of codes by the time they were made, latest first. */
export interface CodePage {
  items: Redemption[]
  next_cursor: string
}

/**
 * All codes of the batch that one of them is of, in the order in which they were made.
 * @param read a page of the codes whose names begin as this one's
 */
export async function batchOf(code: Code, read: (cursor: string) => Promise<CodePage>): Promise<Redemption[]> {
  const found: Redemption[] = []
  for (let cursor = '', more = true; more;) {
    const { items, next_cursor } = await read(cursor)
    found.push(...items.filter((each) => isOfBatch(each, code)))
    // Behind them there are only older ones.
    more = next_cursor !== '' && !items.some(({ created_time }) => created_time < code.created_time)
    cursor = next_cursor
  }
  return found.sort((a, b) => a.id - b.id)
}

/** How many of them are in each state. */
export function statesOf(codes: readonly Pick<Redemption, 'status'>[]) {
  const count = (status: number) => codes.filter((code) => code.status === status).length
  return {
    unused: count(REDEMPTION_STATUS.unused),
    disabled: count(REDEMPTION_STATUS.disabled),
    used: count(REDEMPTION_STATUS.used),
  }
}
