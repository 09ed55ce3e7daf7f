// The details of one call, for every page with rows that name a call.
import type { UiAction } from '../page.ts'
import { words } from '../../texts.ts'

interface OfCall {
  request_id: string | null
  /** The hold id of its charge, which names the receipt. */
  hold_id: string | null
}

const NO_CALL = words('This is no call.')
const NO_CHARGE = words('Nothing was charged, so the call has no receipt.')

export const lookAtCall: readonly UiAction<OfCall>[] = [
  {
    key: 't',
    name: words('tries'),
    unless: ({ request_id }) => (request_id ? undefined : NO_CALL),
    command: ({ request_id }) => ['logs', 'trace', request_id ?? ''],
  },
  {
    key: 'b',
    name: words('bill'),
    unless: ({ request_id }) => (request_id ? undefined : NO_CALL),
    command: ({ request_id }) => ['logs', 'explain', request_id ?? ''],
  },
  {
    key: 'c',
    name: words('receipt'),
    unless: ({ hold_id }) => (hold_id ? undefined : NO_CHARGE),
    command: ({ hold_id }) => ['receipt', 'get', hold_id ?? ''],
  },
]
