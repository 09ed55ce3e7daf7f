// Optimistic locking: a row counts the edits of people, and who saves it says which edit they saw. Whoever comes second is
// told instead of overwriting what they never read.
import { z } from 'zod'
import { words, type Words } from '../errors.ts'
import { field, type Field } from './field.ts'

const declaration: Field = {
  label: words('Version', '版本'),
  help: words(
    'How often it was edited, as it was read: a save is refused where somebody saved since; absent, it is saved whatever happened',
    '读取时的编辑次数：如其间已有人保存，则拒绝保存；未填写时直接保存',
  ),
  example: 1,
  notIn: {
    console: 'it goes back with the row that was read',
    terminal: 'a command says what it changes; a form sends back the version that it has read',
  },
}

/** Of a row: 1, and one more for each edit. */
export const Version = field(z.number(), declaration)

/** The version that was read, of who wants to be told where there is another by now. */
export const ReadVersion = field(z.int32().min(1).optional(), declaration)

/** Who changed it last and when (epoch seconds), as far as the audit knows; behind "It was changed meanwhile". */
export function lastChangeText(row: { username: string; created_at: number } | undefined, what = ''): Words {
  const named = what === '' ? '' : `${what}: `
  if (!row) return what === '' ? { en: '', zh: '' } : { en: ` (${what})`, zh: `（${what}）` }
  const when = `${new Date(Number(row.created_at) * 1000).toISOString().slice(0, 19)}Z`
  return {
    en: ` (${named}the last change on record is by ${row.username || 'the terminal'}, ${when})`,
    zh: `（${named}最近一次有记录的改动：${row.username || '终端'}，${when}）`,
  }
}

/** What a store is told of an edit by people; changes without one neither count nor conflict. */
export interface Edit {
  /** The version that was read; undefined where nobody said it. */
  version: number | undefined
  /** Does anything become another that people edit? */
  raises: boolean
}
