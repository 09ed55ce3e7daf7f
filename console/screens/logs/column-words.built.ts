// The names of the log's columns, from their declarations.
import { LOG_COLUMN_LIST } from '../../../core/calls/log-columns.ts'

export const logColumnTexts = Object.fromEntries(LOG_COLUMN_LIST.map(({ name, label }) => [name, label]))
