// The display names of states and roles. Scripts get the same words in every language.
import { words } from '../../core/errors.ts'
import type { Tone } from '../table.ts'

export const STATES = {
  enabled: words('enabled', '已启用'),
  disabled: words('disabled', '已禁用'),
  auto_disabled: words('auto disabled', '自动禁用'),
  expired: words('expired', '已过期'),
  exhausted: words('exhausted', '额度用尽'),
  unused: words('unused', '未使用'),
  used: words('used', '已使用'),
  deleted: words('deleted', '已注销'),
}

export const NEVER_WORDS = words('never', '从不')

/** Returns the word for a number of a table; the number itself if it has none. */
export const wordOf = (table: Readonly<Record<string, number>>, value: number): string =>
  Object.keys(table).find((name) => table[name] === value) ?? String(value)

/** Returns green for working, yellow for disabled, red for broken states. */
export const stateTone = (state: string): Tone =>
  state === 'enabled' ? 'good' : state === 'disabled' ? 'careful' : 'bad'
