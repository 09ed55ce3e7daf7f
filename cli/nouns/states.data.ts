// The display names of states and roles. Scripts get the same words in every language.
import type { CellTone } from '../output/table.ts'
import { words } from '../texts.ts'

export const STATES = {
  enabled: words('enabled'),
  disabled: words('disabled'),
  auto_disabled: words('auto disabled'),
  expired: words('expired'),
  exhausted: words('exhausted'),
  unused: words('unused'),
  used: words('used'),
  deleted: words('deleted'),
}

export const NEVER_WORDS = words('never')

/** Returns the word for a number of a table; the number itself if it has none. */
export const toStateWord = (table: Readonly<Record<string, number>>, value: number): string =>
  Object.keys(table).find((name) => table[name] === value) ?? String(value)

/** Returns green for working, yellow for disabled, red for broken states. */
export const stateTone = (state: string): CellTone =>
  state === 'enabled' ? 'good' : state === 'disabled' ? 'careful' : 'bad'
