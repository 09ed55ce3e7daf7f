// What goes to every provider beside a request, whatever its format: of which trace it is a part, and of which request.
import { traceHeaders } from '../ports/tracer.ts'
import type { Settings } from '../settings/index.ts'
import type { Call } from './call.ts'

/** Headers of a call's attempt, counted from 0; undefined for none, as of nearly every call. */
export function buildTraceHeaders(
  { trace, caller }: Pick<Call, 'trace' | 'caller'>,
  attempt: number,
  settings: Pick<Settings, 'relay.share_request_ids'>,
): Record<string, string> | undefined {
  const named = settings['relay.share_request_ids'] ? { 'x-request-id': caller.request_id } : undefined
  return trace ? { ...traceHeaders(trace, attempt), ...named } : named
}
