// Reports calls that are refused before their body is read. A small body is read all the same, so that the log and the
// access log name the model.
import type { IncomingMessage } from 'node:http'
import { GatewayError, type Gateway, type UnreadCall } from '../core/index.ts'
import { callByteBudget } from './budgets.ts'
import { getContentCoding, readPlainBody } from './middleware/body.ts'
import { isFormRequest } from './middleware/form.ts'

/** Reading and parsing a body of this size costs next to nothing. Unit: bytes. */
const SMALL_BODY = 64 * 1024
/** Maximum wait for the rest of a small body, in ms. */
const BODY_MS = 1000

/** Reports the refusal of a call that is not read yet. Never rejects. */
export async function reportUnread(
  gateway: Gateway,
  request: IncomingMessage,
  call: UnreadCall,
  error: unknown,
): Promise<void> {
  if (request.destroyed && !request.complete) return
  // An overloaded process reads nothing for a call that it refuses.
  const isBusy = error instanceof GatewayError && error.code === 'server.busy'
  const body = isBusy || call.place?.model !== undefined ? undefined : await readSmallBody(gateway, request, call)
  gateway.refuseCall({ ...call, ...(body ? { body } : {}) }, error)
}

/** Reads a small body that arrives at once; undefined for any other. */
async function readSmallBody(
  { ports: { clock } }: Gateway,
  request: IncomingMessage,
  { caller }: UnreadCall,
): Promise<Uint8Array | undefined> {
  const { 'content-length': length } = request.headers
  const isSmall = length !== undefined && Number(length) <= SMALL_BODY
  if (!isSmall || request.readableDidRead || getContentCoding(request) !== undefined || isFormRequest(request))
    return undefined
  const share = callByteBudget.share(caller.user.id, SMALL_BODY)
  const done = new AbortController()
  const timeout = clock.sleep(BODY_MS, done.signal).catch(() => undefined)
  try {
    return (await Promise.race([readPlainBody(request, SMALL_BODY, share), timeout])) ?? undefined
  } catch {
    return undefined
  } finally {
    done.abort()
    share.end()
  }
}
