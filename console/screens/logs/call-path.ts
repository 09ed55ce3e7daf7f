// Where a call stands.
import type { LogEntry } from '../../../core/calls/log-entry.ts'

/** Of a row that no call made, nowhere. */
export const pathOfCall = ({ request_id }: Pick<LogEntry, 'request_id'>) =>
  request_id === '' ? null : `/log/${encodeURIComponent(request_id)}`
