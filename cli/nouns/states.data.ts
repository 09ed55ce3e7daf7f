// The words that states, roles and the like have in the terminal: the same for scripts in every language, read in one's own.
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

/** The word that a table of numbers has for one; the number itself where it has none. */
export const wordOf = (table: Readonly<Record<string, number>>, value: number): string =>
  Object.keys(table).find((name) => table[name] === value) ?? String(value)

/** Green for what works, yellow for what somebody switched off, red for what broke. */
export const stateTone = (state: string): Tone =>
  state === 'enabled' ? 'good' : state === 'disabled' ? 'careful' : 'bad'
