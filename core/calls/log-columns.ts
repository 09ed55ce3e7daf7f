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
  /** Above its column, in both faces. */
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
    label: words('ID', '编号'),
    help: words('Number of the row', '记录编号'),
  },
  created_at: {
    kind: 'whole',
    own: 'given',
    example: 1_767_225_600,
    label: words('Time', '时间'),
    help: words('When it happened, in epoch seconds', '发生时间（Unix 秒）'),
  },
  type: {
    kind: 'whole',
    own: 'given',
    example: 2,
    label: words('Type', '类型'),
    help: words(
      'Kind of row: 1 top-up, 2 consumption, 3 administration, 4 system, 5 error',
      '记录类型：1 充值、2 消费、3 管理、4 系统、5 错误',
    ),
  },
  user_id: {
    kind: 'whole',
    own: 'withheld',
    example: 2,
    label: words('User ID', '用户编号'),
    help: words('Number of the user', '用户编号'),
  },
  username: {
    kind: 'text',
    few: true,
    own: 'withheld',
    example: 'ada',
    label: words('User', '用户'),
    help: words('Name of the user at that time', '当时的用户名'),
  },
  token_id: {
    kind: 'whole',
    own: 'given',
    exported: false,
    example: 3,
    label: words('Token ID', '令牌编号'),
    help: words('Number of the token; 0 for none', '令牌编号，0 表示无'),
  },
  token_name: {
    kind: 'text',
    few: true,
    maxLength: 100,
    own: 'given',
    example: 'my program',
    label: words('Token', '令牌'),
    help: words('Name of the token at that time', '当时的令牌名称'),
  },
  group: {
    kind: 'text',
    few: true,
    maxLength: 100,
    own: 'given',
    example: 'default',
    label: words('Group', '分组'),
    help: words('Group of the call', '调用所属分组'),
  },
  channel: {
    kind: 'whole',
    column: 'channel_id',
    own: 'withheld',
    example: 4,
    label: words('Channel', '渠道'),
    help: words('Number of the channel; 0 for none', '渠道编号，0 表示无'),
  },
  model_name: {
    kind: 'text',
    few: true,
    maxLength: 255,
    own: 'given',
    example: 'gpt-4.1-mini',
    label: words('Model', '模型'),
    help: words('Name of the model', '模型名称'),
  },
  operation: {
    kind: 'text',
    few: true,
    own: 'given',
    example: 'chat',
    label: words('Operation', '操作'),
    help: words(
      'The operation, as in OPERATIONS; empty for rows that no call made, and in rows of earlier versions',
      '对模型的请求类型，见 OPERATIONS；非调用记录及早期版本的记录为空',
    ),
  },
  is_stream: {
    kind: 'flag',
    own: 'given',
    example: true,
    label: words('Stream', '流式'),
    help: words('Was it streamed?', '是否流式'),
  },
  prompt_tokens: {
    kind: 'whole',
    own: 'given',
    example: 120,
    label: words('Prompt', '提示'),
    help: words('Tokens of the prompt', '提示 token 数'),
  },
  completion_tokens: {
    kind: 'whole',
    own: 'given',
    example: 80,
    label: words('Completion', '补全'),
    help: words('Tokens of the answer', '补全 token 数'),
  },
  quota: {
    kind: 'whole',
    own: 'given',
    example: 150,
    label: words('Cost', '花费'),
    help: words('The charge, in quota units', '扣费，单位为额度'),
  },
  use_time: {
    kind: 'whole',
    own: 'given',
    example: 2,
    label: words('Seconds', '秒'),
    help: words('How long the call took, in whole seconds', '调用耗时（整秒）'),
  },
  content: {
    kind: 'text',
    own: 'given',
    example: '',
    label: words('Content', '内容'),
    help: words('Description of the event', '事件说明'),
  },
  request_id: {
    kind: 'text',
    own: 'given',
    example: '20260101000000000abcdefghijkl',
    label: words('Request', '请求编号'),
    help: words('Id of the call, as in the x-request-id of its answer', '调用编号，即响应的 x-request-id'),
  },
  hold_id: {
    kind: 'text',
    own: 'withheld',
    exported: false,
    example: '',
    label: words('Receipt', '回执'),
    help: words(
      'Id of what was held for the call, which its charge in the ledger names too; empty for what no call made',
      '为该调用预扣的编号，账本中的扣费亦记此编号；非调用记录为空',
    ),
  },
  other: {
    kind: 'text',
    own: 'given',
    example: '{}',
    label: words('Detail', '详情'),
    help: words('How the charge came about, as the text of a JSON object', '扣费明细，JSON 对象文本'),
  },
} as const satisfies Record<string, LogColumn>

export type LogColumnName = keyof typeof LOG_COLUMNS

/** The same as a list. */
export const LOG_COLUMN_LIST: readonly (LogColumn & { name: LogColumnName })[] = Object.entries<LogColumn>(
  LOG_COLUMNS,
).map(([name, column]) => ({ name: name as LogColumnName, ...column }))

/** Characters that are kept of a text, where not all are. */
export const findMaxLength = (column: string): number | undefined =>
  LOG_COLUMN_LIST.find(({ name }) => name === column)?.maxLength

/** Truncates a text to the length that its column stores, so that a filter can match. */
export const keptText = (column: string, text: string): string => [...text].slice(0, findMaxLength(column)).join('')

/** The defaults of missing values, also in rows older than the column. */
export const NOTHING_SAID = { whole: 0, flag: false, text: '' } as const
