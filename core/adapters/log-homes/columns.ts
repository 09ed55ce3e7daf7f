// The columns of a log row in a home of its own, with what each is.
import type { KeptRow } from '../../logs/home.ts'

export interface Column {
  name: keyof KeptRow
  kind: 'whole' | 'flag' | 'text'
  /** Few texts come again and again. */
  few?: true
}

const kinds = {
  id: 'whole',
  created_at: 'whole',
  type: 'whole',
  user_id: 'whole',
  username: 'few',
  token_id: 'whole',
  token_name: 'few',
  channel: 'whole',
  group: 'few',
  model_name: 'few',
  operation: 'few',
  use_time: 'whole',
  is_stream: 'flag',
  prompt_tokens: 'whole',
  completion_tokens: 'whole',
  quota: 'whole',
  content: 'text',
  other: 'text',
  request_id: 'text',
  hold_id: 'text',
} satisfies Record<keyof KeptRow, Column['kind'] | 'few'>

export const COLUMNS: readonly Column[] = Object.entries(kinds).map(([name, kind]) => ({
  name: name as keyof KeptRow,
  ...(kind === 'few' ? { kind: 'text', few: true } : { kind }),
}))
