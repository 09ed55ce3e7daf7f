// The request handlers of tasks: turn a submission into a call, write its reply, and stream files. Decide nothing.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createAbortSource, type CallCaller, type Gateway, type TaskReply } from '../core/index.ts'
import { toJsonBytes } from '../core/dialects/json/json-bytes.ts'
import { asObject, parseJsonBytes } from '../core/dialects/json/json-value.ts'
import { parseRequestBody } from '../core/dialects/requests/request-body.ts'
import { callByteBudget } from './budgets.ts'
import type { TaskPathMatch } from './relay-route.ts'
import type { RequestObserver } from './request-observer.ts'
import { getContentCoding, readRequestBody, waitForTurn } from './middleware/body.ts'
import { isFormRequest, readRequestForm } from './middleware/form.ts'
import { parseQuery } from './key.ts'
import { CLIENT_DISCONNECTED, type HeaderList } from './refuse.ts'
import { reportUnread } from './build-call.ts'

const MIB = 1024 * 1024

/** Serves one request about tasks. @throws GatewayError, AttemptError before the head of the response is written */
export async function serveTask(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  { caller, pin, observer }: { caller: CallCaller; pin: string | undefined; observer: RequestObserver | undefined },
  { format, route, path }: TaskPathMatch,
  headers: HeaderList,
): Promise<void> {
  const started_at = gateway.ports.clock.now()
  const signal = createDisconnectSignal(response)
  let body: Uint8Array = new Uint8Array()
  try {
    if (request.method === 'POST') body = await readTaskBody(gateway, request, response, caller)
  } catch (error) {
    const unread = { inbound: format, caller, refused: observer?.refusedCall }
    if (route.wants === 'submit') await reportUnread(gateway, request, unread, error)
    throw error
  }
  if (response.destroyed) return
  if (route.wants === 'submit') {
    const { trace, onFinished, refusedCall: refused } = observer ?? {}
    const call = { inbound: format, body, caller, pin, signal, started_at, trace, onFinished, refused }
    const { task, reply, receipt } = await gateway.submitTask(call, { body, path, action: route.action })
    headers.push('x-weir-receipt', receipt)
    return json(response, 200, headers, format.taken(task, reply))
  }
  if (route.wants === 'image') return json(response, 404, headers, {})
  const search = parseQuery(request)
  const { idIn = '' } = route
  const query = {
    format,
    wants: route.wants,
    id:
      path.id ?? search.get(idIn) ?? (idIn !== '' && body.length > 0 ? String(parseRequestBody(body)[idIn] ?? '') : ''),
    query: search,
    body,
    action: route.action,
    range: request.headers.range,
  }
  await writeReply(response, headers, await gateway.askDesk(caller, query, signal))
}

/** Creates a signal that is aborted if the client disconnects before the response is complete. */
function createDisconnectSignal(response: ServerResponse): ReturnType<typeof createAbortSource>['signal'] {
  const hangUp = createAbortSource()
  response.on('close', () => {
    if (!response.writableFinished) hangUp.now(CLIENT_DISCONNECTED)
  })
  return hangUp.signal
}

async function writeReply(response: ServerResponse, headers: HeaderList, reply: TaskReply): Promise<void> {
  if ('json' in reply) return json(response, reply.status, headers, reply.json)
  for (const [name, value] of Object.entries(reply.headers)) headers.push(name, value)
  response.writeHead(reply.status, headers)
  await pipeline(Readable.from(reply.body), response).catch(() => undefined)
}

/** Sends a file of a task to a signed-in user. @throws GatewayError task.* */
export async function serveTaskFile(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  { user, id }: { user: CallCaller['user']; id: number },
  headers: HeaderList,
): Promise<void> {
  const signal = createDisconnectSignal(response)
  const query = { id, query: parseQuery(request), range: request.headers.range }
  await writeReply(response, headers, await gateway.taskFile(user, query, signal))
}

/** Sends the picture with a secret address, without authentication. @throws GatewayError task.file_gone, limit.bytes */
export async function serveTaskPicture(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  secret: string,
  headers: HeaderList,
): Promise<void> {
  const signal = createDisconnectSignal(response)
  const { range, 'if-none-match': known } = request.headers
  const openShare = (user: number) => {
    const share = callByteBudget.share(user, gateway.settings()['relay.max_body_megabytes'] * MIB)
    response.on('close', () => share.end())
    return share
  }
  const picture = await gateway.showPicture({ secret, openShare, range, known }, signal)
  for (const [name, value] of Object.entries(picture.headers)) headers.push(name, value)
  if (picture.status !== 304) headers.push('content-length', String(picture.body.length))
  response.writeHead(picture.status, headers).end(picture.body)
}

/** Reads a body as JSON. A form becomes JSON with its files as `data:` addresses. */
async function readTaskBody(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  caller: CallCaller,
): Promise<Uint8Array> {
  const limit = gateway.settings()['relay.max_body_megabytes'] * MIB
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  const announced = length === undefined && coding === undefined ? 0 : length === undefined ? undefined : Number(length)
  const form = isFormRequest(request)
  const admitted = gateway.admitBody(caller, {
    bytes: announced,
    packed: getContentCoding(request) !== undefined,
    form,
  })
  if (admitted) await admitted
  const share = callByteBudget.share(caller.user.id, limit)
  response.on('close', () => share.end())
  if (!form) {
    const body = await readRequestBody(request, limit, share)
    await waitForTurn(gateway, body)
    return body
  }
  const read = await readRequestForm(request, limit, share)
  try {
    const fields = asObject(parseJsonBytes(read.body)) ?? {}
    for (const file of read.form.files) {
      const parts: Uint8Array[] = []
      for await (const part of file.read()) parts.push(part)
      fields[file.name] = `data:${file.content_type};base64,${Buffer.concat(parts).toString('base64')}`
    }
    return toJsonBytes(fields)
  } finally {
    await read.discard()
  }
}

function json(response: ServerResponse, status: number, headers: HeaderList, value: unknown): void {
  const body = toJsonBytes(value)
  headers.push('content-type', 'application/json', 'content-length', String(body.length))
  response.writeHead(status, headers).end(body)
}
