// The address of a call.
import type { LogEntry } from '../../../core/calls/log-entry.ts'

/** Returns the path of a call; empty for a row without one. */
export const buildCallPath = ({ request_id }: Pick<LogEntry, 'request_id'>) =>
  request_id === '' ? null : `/log/${encodeURIComponent(request_id)}`
