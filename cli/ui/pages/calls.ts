// The details of one call, for every page with rows that name a call.
import { words } from '../../../core/errors.ts'
import type { UiAction } from '../page.ts'

interface OfCall {
  request_id: string | null
  /** The hold id of its charge, which names the receipt. */
  hold_id: string | null
}

const NO_CALL = words('This is no call.', '这不是一次调用。')
const NO_CHARGE = words('Nothing was charged, so the call has no receipt.', '没有扣费：没有回执。')

export const lookAtCall: readonly UiAction<OfCall>[] = [
  {
    key: 't',
    name: words('tries', '各次尝试'),
    unless: ({ request_id }) => (request_id ? undefined : NO_CALL),
    command: ({ request_id }) => ['logs', 'trace', request_id ?? ''],
  },
  {
    key: 'b',
    name: words('bill', '账单'),
    unless: ({ request_id }) => (request_id ? undefined : NO_CALL),
    command: ({ request_id }) => ['logs', 'explain', request_id ?? ''],
  },
  {
    key: 'c',
    name: words('receipt', '回执'),
    unless: ({ hold_id }) => (hold_id ? undefined : NO_CHARGE),
    command: ({ hold_id }) => ['receipt', 'get', hold_id ?? ''],
  },
]
