// Optimistic locking: a row counts the edits of people, and who saves it says which edit they saw. Whoever comes second is
// told instead of overwriting what they never read.
import { z } from 'zod'
import { words } from '../errors.ts'
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
    terminal: 'a command says what it changes, and sends nothing back that it has read',
  },
}

/** Of a row: 1, and one more for each edit. */
export const Version = field(z.number(), declaration)

/** The version that was read, of who wants to be told where there is another by now. */
export const ReadVersion = field(z.int32().min(1).optional(), declaration)

/** What a store is told of an edit by people; changes without one neither count nor conflict. */
export interface Edit {
  /** The version that was read; undefined where nobody said it. */
  version: number | undefined
  /** Does anything become another that people edit? */
  raises: boolean
}
