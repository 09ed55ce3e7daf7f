// What the columns of the log are called, as they are declared.
import { LOG_COLUMN_LIST } from '../../../core/calls/log-columns.ts'

export const columnWords = Object.fromEntries(LOG_COLUMN_LIST.map(({ name, label }) => [name, label]))
