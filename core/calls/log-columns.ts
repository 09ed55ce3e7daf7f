// The columns of the log, each declared once: its kind, its uses and its label. A row's schema, the stores, the homes
// of rows, exports, a user's copy and the labels of both interfaces follow from it.
import { words, type Words } from '../errors.ts'

export interface LogColumn {
  kind: 'whole' | 'flag' | 'text'
  /** The same few texts come again and again. */
  few?: true
  /** Maximum length in characters, since PostgreSQL limits the size of an index entry. */
  maxLength?: number
  /** Its name in the database, if it differs. */
  column?: string
  /** `given` if users receive it with their rows; `withheld` if it contains data of others. */
  own: 'given' | 'withheld'
  /** Not a column of the table export. */
  exported?: false
  /** Title of the column, in the console and in the terminal. */
  label: Words
  /** Its meaning and unit; no full stop at the end. */
  help: Words
  /** A value for documents. */
  example: unknown
}

/** In the order of the table export. */
export const LOG_COLUMNS = {
  id: {
    kind: 'whole',
    own: 'given',
    example: 7,
    label: words('ID'),
    help: words('Number of the row'),
  },
  created_at: {
    kind: 'whole',
    own: 'given',
    example: 1_767_225_600,
    label: words('Time'),
    help: words('When it happened, in epoch seconds'),
  },
  type: {
    kind: 'whole',
    own: 'given',
    example: 2,
    label: words('Type'),
    help: words('Kind of row: 1 top-up, 2 consumption, 3 administration, 4 system, 5 error'),
  },
  user_id: {
    kind: 'whole',
    own: 'withheld',
    example: 2,
    label: words('User ID'),
    help: words('Number of the user'),
  },
  username: {
    kind: 'text',
    few: true,
    own: 'withheld',
    example: 'ada',
    label: words('User'),
    help: words('Name of the user at that time'),
  },
  token_id: {
    kind: 'whole',
    own: 'given',
    exported: false,
    example: 3,
    label: words('Token ID'),
    help: words('Number of the token; 0 for none'),
  },
  token_name: {
    kind: 'text',
    few: true,
    maxLength: 100,
    own: 'given',
    example: 'my program',
    label: words('Token'),
    help: words('Name of the token at that time'),
  },
  group: {
    kind: 'text',
    few: true,
    maxLength: 100,
    own: 'given',
    example: 'default',
    label: words('Group'),
    help: words('Group of the call'),
  },
  channel: {
    kind: 'whole',
    column: 'channel_id',
    own: 'withheld',
    example: 4,
    label: words('Channel'),
    help: words('Number of the channel; 0 for none'),
  },
  model_name: {
    kind: 'text',
    few: true,
    maxLength: 255,
    own: 'given',
    example: 'gpt-4.1-mini',
    label: words('Model'),
    help: words('Name of the model'),
  },
  operation: {
    kind: 'text',
    few: true,
    own: 'given',
    example: 'chat',
    label: words('Operation'),
    help: words('The operation, as in OPERATIONS; empty for rows that no call made, and in rows of earlier versions'),
  },
  is_stream: {
    kind: 'flag',
    own: 'given',
    example: true,
    label: words('Stream'),
    help: words('Was it streamed?'),
  },
  prompt_tokens: {
    kind: 'whole',
    own: 'given',
    example: 120,
    label: words('Prompt'),
    help: words('Tokens of the prompt'),
  },
  completion_tokens: {
    kind: 'whole',
    own: 'given',
    example: 80,
    label: words('Completion'),
    help: words('Tokens of the answer'),
  },
  quota: {
    kind: 'whole',
    own: 'given',
    example: 150,
    label: words('Cost'),
    help: words('The charge, in quota units'),
  },
  use_time: {
    kind: 'whole',
    own: 'given',
    example: 2,
    label: words('Seconds'),
    help: words('Duration of the call, in whole seconds'),
  },
  content: {
    kind: 'text',
    own: 'given',
    example: '',
    label: words('Content'),
    help: words('Description of the event'),
  },
  request_id: {
    kind: 'text',
    own: 'given',
    example: '20260101000000000abcdefghijkl',
    label: words('Request'),
    help: words('Id of the call, as in the x-request-id of its answer'),
  },
  hold_id: {
    kind: 'text',
    own: 'withheld',
    exported: false,
    example: '',
    label: words('Receipt'),
    help: words(
      'Id of the hold of the call, which its charge in the ledger also names; empty for rows that no call made',
    ),
  },
  other: {
    kind: 'text',
    own: 'given',
    example: '{}',
    label: words('Detail'),
    help: words('How the charge came about, as the text of a JSON object'),
  },
} as const satisfies Record<string, LogColumn>

export type LogColumnName = keyof typeof LOG_COLUMNS

/** The same as a list. */
export const LOG_COLUMN_LIST: readonly (LogColumn & { name: LogColumnName })[] = Object.entries<LogColumn>(
  LOG_COLUMNS,
).map(([name, column]) => ({ name: name as LogColumnName, ...column }))

/** Returns the maximum length of a text column, in characters; undefined if it has none. */
export const findMaxLength = (column: string): number | undefined =>
  LOG_COLUMN_LIST.find(({ name }) => name === column)?.maxLength

/** Truncates a text to the length that its column stores, so that a filter can match. */
export const truncateToColumn = (column: string, text: string): string =>
  [...text].slice(0, findMaxLength(column)).join('')

/** The defaults of missing values, also in rows older than the column. */
export const MISSING_VALUE_DEFAULTS = { whole: 0, flag: false, text: '' } as const
