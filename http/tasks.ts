// The door of tasks: a submission to a call, its answer back, files passed on as they come. Decides nothing.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createAbortSource, type CallCaller, type Gateway, type TaskReply } from '../core/index.ts'
import { jsonBytes } from '../core/dialects/json-bytes.ts'
import { asObject, parseJsonBytes } from '../core/dialects/json-value.ts'
import { parseRequestBody } from '../core/dialects/request-body.ts'
import { callBytes } from './body-budget.ts'
import { packing, readBody } from './middleware/body.ts'
import { isForm, readForm } from './middleware/form.ts'
import { parseQuery } from './key.ts'
import { HUNG_UP, type HeaderList } from './refuse.ts'
import type { PlacedTask } from './task-paths.ts'
import type { RequestObserver } from './witness.ts'

const MIB = 1024 * 1024

/** Serves one request about tasks. @throws GatewayError, AttemptError before its head is written */
export async function serveTask(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  { caller, pin, witness }: { caller: CallCaller; pin: string | undefined; witness: RequestObserver | undefined },
  { format, route, path }: PlacedTask,
  headers: HeaderList,
): Promise<void> {
  const started_at = gateway.ports.clock.now()
  const signal = hangUpOf(response)
  const body = request.method === 'POST' ? await bodyOf(gateway, request, response, caller) : new Uint8Array()
  if (response.destroyed) return
  if (route.wants === 'submit') {
    const { trace, heard } = witness ?? {}
    const call = { inbound: format, body, caller, pin, signal, started_at, trace, heard }
    const { task, reply, receipt } = await gateway.submitTask(call, { body, path, action: route.action })
    headers.push('x-weir-receipt', receipt)
    return json(response, 200, headers, format.taken(task, reply))
  }
  if (route.wants === 'image') return json(response, 404, headers, {})
  const query = parseQuery(request)
  const { idIn = '' } = route
  const wanted = {
    format,
    wants: route.wants,
    id:
      path.id ?? query.get(idIn) ?? (idIn !== '' && body.length > 0 ? String(parseRequestBody(body)[idIn] ?? '') : ''),
    query,
    body,
    action: route.action,
    range: request.headers.range,
  }
  await told(response, headers, await gateway.askDesk(caller, wanted, signal))
}

/** Aborted when the caller leaves before the answer is out. */
function hangUpOf(response: ServerResponse): ReturnType<typeof createAbortSource>['signal'] {
  const hangUp = createAbortSource()
  response.on('close', () => {
    if (!response.writableFinished) hangUp.now(HUNG_UP)
  })
  return hangUp.signal
}

async function told(response: ServerResponse, headers: HeaderList, reply: TaskReply): Promise<void> {
  if ('json' in reply) return json(response, reply.status, headers, reply.json)
  for (const [name, value] of Object.entries(reply.headers)) headers.push(name, value)
  response.writeHead(reply.status, headers)
  await pipeline(Readable.from(reply.body), response).catch(() => undefined)
}

/** Shows a file of a task to somebody who is signed in. @throws GatewayError task.* */
export async function serveTaskFile(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  { user, id }: { user: CallCaller['user']; id: number },
  headers: HeaderList,
): Promise<void> {
  const signal = hangUpOf(response)
  const wanted = { id, query: parseQuery(request), range: request.headers.range }
  await told(response, headers, await gateway.taskFile(user, wanted, signal))
}

/** Shows the picture that a secret address stands for: nobody proves who they are. @throws GatewayError task.file_gone, limit.bytes */
export async function servePicture(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  secret: string,
  headers: HeaderList,
): Promise<void> {
  const signal = hangUpOf(response)
  const { range, 'if-none-match': known } = request.headers
  const shareOf = (user: number) => {
    const share = callBytes.share(user, gateway.settings()['relay.max_body_megabytes'] * MIB)
    response.on('close', () => share.end())
    return share
  }
  const picture = await gateway.showPicture({ secret, shareOf, range, known }, signal)
  for (const [name, value] of Object.entries(picture.headers)) headers.push(name, value)
  if (picture.status !== 304) headers.push('content-length', String(picture.body.length))
  response.writeHead(picture.status, headers).end(picture.body)
}

/** JSON, or a form as JSON: its files are `data:` addresses. */
async function bodyOf(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  caller: CallCaller,
): Promise<Uint8Array> {
  const limit = gateway.settings()['relay.max_body_megabytes'] * MIB
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  const told = length === undefined && coding === undefined ? 0 : length === undefined ? undefined : Number(length)
  const form = isForm(request)
  const admitted = gateway.admitBody(caller, { bytes: told, packed: packing(request) !== undefined, form })
  if (admitted) await admitted
  const share = callBytes.share(caller.user.id, limit)
  response.on('close', () => share.end())
  if (!form) return readBody(request, limit, share)
  const read = await readForm(request, limit, share)
  try {
    const fields = asObject(parseJsonBytes(read.body)) ?? {}
    for (const file of read.form.files) {
      const parts: Uint8Array[] = []
      for await (const part of file.read()) parts.push(part)
      fields[file.name] = `data:${file.content_type};base64,${Buffer.concat(parts).toString('base64')}`
    }
    return jsonBytes(fields)
  } finally {
    await read.discard()
  }
}

function json(response: ServerResponse, status: number, headers: HeaderList, value: unknown): void {
  const body = jsonBytes(value)
  headers.push('content-type', 'application/json', 'content-length', String(body.length))
  response.writeHead(status, headers).end(body)
}
