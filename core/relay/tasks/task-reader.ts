// Answers callers' requests about their tasks: one, several or a page, their files, and deletion. Providers are called
// only for files: the state is that of the last poll.
import type { ChannelIndex } from '../../channels/channel-index.ts'
import { getUpstreamModelName } from '../../channels/routed-channel.ts'
import { asList, asText, getMember } from '../../dialects/json/json-value.ts'
import { parseRequestBody } from '../../dialects/requests/request-body.ts'
import type { TaskFile } from '../../dialects/tasks/task-dialect.ts'
import { decodeBase64, fetchTaskFile, isOwnHost, queryTask, type TaskQueryPorts } from './task-query.ts'
import type { TaskFormat, RouteOperation } from '../../dialects/tasks/task-format.ts'
import { findTaskFormat } from '../../dialects/tasks/task-formats.ts'
import { fail } from '../../errors.ts'
import type { AbortSignalLike } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import type { ReplyBody } from '../../ports/upstream.ts'
import type { Settings } from '../../settings/index.ts'
import type { StoredTask } from '../../tasks/task.ts'
import { parseTaskFiles, isForgotten, isOver, parseTaskQuestion, FORGOTTEN_TASK_DETAILS } from '../../tasks/task.ts'
import { isAdmin } from '../../users/user.ts'
import { admitReadRequest, countReadRequest, type ReadPorts } from '../admission.ts'
import { readWholeBody } from '../answers/read-body.ts'
import type { CallCaller } from '../call.ts'
import { findTaskEndpoint } from './submit.ts'
import { toPublicTask } from './webhooks.ts'
import { toReplyBody } from '../attempt.ts'

/** A request about stored tasks. */
export interface TaskQuery {
  format: TaskFormat
  wants: Exclude<RouteOperation, 'submit' | 'image'>
  id: string
  query: URLSearchParams
  body: Uint8Array
  /** The action in the path of the request. */
  action?: string
  /** The header `range`. */
  range?: string
}

export type TaskReply =
  { status: number; json: unknown } | { status: number; headers: Record<string, string>; body: ReplyBody }

/** @throws GatewayError task.*, and any refusal of the token or of another read */
export type QueryTasks = (caller: CallCaller, request: TaskQuery, signal: AbortSignalLike) => Promise<TaskReply>

/**
 * Serves a file of a task by the task's number in the lists: of any user for administrators, else of the own tasks.
 * @throws GatewayError task.*
 */
export type ShowTaskFile = (
  user: CallCaller['user'],
  request: { id: number; query: URLSearchParams; range?: string },
  signal: AbortSignalLike,
) => Promise<TaskReply>

interface TaskReaderPorts extends TaskQueryPorts, ReadPorts {
  storage: Pick<Storage, 'tasks'>
  channels: Pick<ChannelIndex, 'find'>
  settings(): Settings
}

const NOTHING: ReplyBody = (async function* () {})()
/** Headers that prevent a file from acting as a page of this site. */
const SAFE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': 'sandbox',
  'content-disposition': 'attachment',
}
const USUAL_PAGE = 20
const LARGEST_PAGE = 100
const MOST_IDS = 500
const PATIENCE_MS = 60_000
const SEED_PATIENCE_MS = 30_000
/** Headers of a file that are forwarded to the client. */
const FILE_HEADERS = ['content-type', 'content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified']

export function createTaskReader(ports: TaskReaderPorts): { ask: QueryTasks; file: ShowTaskFile } {
  const { storage, channels, settings, clock } = ports

  const toPublic = (task: StoredTask) => toPublicTask(task, settings())
  const ok = (json: unknown): TaskReply => ({ status: 200, json })

  async function ownTask({ user }: CallCaller, { id, format }: TaskQuery): Promise<StoredTask> {
    const task = await storage.tasks.findOwn(user.id, id)
    return task && task.platform === format.platform && !isForgotten(task) ? task : fail('task.missing', { id })
  }

  async function page({ user }: CallCaller, { format, query, action }: TaskQuery): Promise<TaskReply> {
    const numbered = format.pageIn?.(query)
    if (numbered) {
      const of = { format: format.name, action: action?.toUpperCase() }
      const rows = await storage.tasks.page(user.id, format.platform, { ...numbered, ...of, oldest: false })
      return ok(format.writeTasks(rows.filter((row) => !isForgotten(row)).map(toPublic), false))
    }
    const requestedLimit = Number(query.get('limit') ?? USUAL_PAGE)
    const limit =
      Number.isInteger(requestedLimit) && requestedLimit > 0 ? Math.min(requestedLimit, LARGEST_PAGE) : USUAL_PAGE
    const after = query.get('after')
    const from =
      after === null
        ? undefined
        : ((await storage.tasks.findOwn(user.id, after)) ?? fail('task.missing', { id: after }))
    const oldest = query.get('order') === 'asc'
    const rows = await storage.tasks.page(user.id, format.platform, { limit: limit + 1, from: from?.id, oldest })
    const shown = rows.slice(0, limit).filter((row) => !isForgotten(row))
    return ok(format.writeTasks(shown.map(toPublic), rows.length > limit))
  }

  async function many({ user }: CallCaller, { format, body }: TaskQuery): Promise<TaskReply> {
    const ids = format.idsIn?.(parseRequestBody(body)) ?? []
    if (ids.length > MOST_IDS) fail('request.invalid', { param: 'ids', reason: `at most ${MOST_IDS} ids at once` })
    const rows = ids.length === 0 ? [] : await storage.tasks.listOwn(user.id, format.platform, ids)
    return ok(format.writeTasks(rows.filter((row) => !isForgotten(row)).map(toPublic), false))
  }

  async function content(
    task: StoredTask,
    { query, range }: Pick<TaskQuery, 'query' | 'range'>,
    signal: AbortSignalLike,
  ): Promise<TaskReply> {
    if (task.status !== 'SUCCESS') fail('task.unfinished', { id: task.task_id })
    const file = chooseFile(parseTaskFiles(task), query.get('variant')) ?? fail('task.file_gone', { id: task.task_id })
    if (file.until !== undefined && file.until < clock.now()) fail('task.file_gone', { id: task.task_id })
    if (file.within) return serveUnpacked(task, file.within, signal)
    return streamFile(task, file, range, signal)
  }

  /** Serves a file that is part of the provider's answer: it is queried again, since Weir does not store it. */
  async function serveUnpacked(
    task: StoredTask,
    within: NonNullable<TaskFile['within']>,
    signal: AbortSignalLike,
  ): Promise<TaskReply> {
    const { channel, endpoint, format } = getPlace(task)
    const failGone = () => fail('task.file_gone', { id: task.task_id })
    const asking = { channel, endpoint, format, patience_ms: PATIENCE_MS }
    const answer = await queryTask(parseTaskQuestion(task) ?? failGone(), asking, signal, ports)
    const step = (at: unknown, name: string | number) =>
      typeof name === 'number' ? asList(at)?.[name] : getMember(at, name)
    const bytes = decodeBase64(asText(within.reduce(step, answer)) ?? failGone())
    const headers = { 'content-type': 'video/mp4', 'content-length': String(bytes.length), ...SAFE }
    return { status: 200, headers, body: toReplyBody(bytes) }
  }

  /** Streams a file, with the channel's key if the file needs it. */
  async function streamFile(
    task: StoredTask,
    file: TaskFile,
    range: string | undefined,
    signal: AbortSignalLike,
  ): Promise<TaskReply> {
    const { channel, endpoint } = getPlace(task)
    if (!isOwnHost(file.url, channel)) return redirectTo(task, file.keyed ? '' : file.url)
    const fileRequest = { url: file.url, keyed: file.keyed === true, range }
    const reply = await fetchTaskFile(fileRequest, { channel, endpoint, patience_ms: PATIENCE_MS }, signal, ports)
    if (reply.status === 302) return redirectTo(task, reply.headers.location ?? '')
    if (reply.status !== 200 && reply.status !== 206) {
      await readWholeBody(reply.body, 64 * 1024).catch(() => undefined)
      return fail('task.file_gone', { id: task.task_id })
    }
    const headers = FILE_HEADERS.flatMap((name) => {
      const value = reply.headers[name]
      return value === undefined ? [] : [[name, value] as const]
    })
    return { status: reply.status, headers: { ...Object.fromEntries(headers), ...SAFE }, body: reply.body }
  }

  /** Redirects to a file at a public address. */
  function redirectTo(task: StoredTask, location: string): TaskReply {
    if (!location.startsWith('https://')) return fail('task.file_gone', { id: task.task_id })
    return { status: 302, headers: { location, 'content-length': '0' }, body: NOTHING }
  }

  function getPlace(task: StoredTask) {
    const channel = channels.find(task.channel_id)
    const own = channel?.keys.find(({ fingerprint }) => fingerprint === task.key)?.channel ?? channel
    const format = findTaskFormat(task.format)
    if (!own || !format) return fail('task.channel_gone')
    return {
      channel: own,
      format,
      endpoint: findTaskEndpoint(own, format, getUpstreamModelName(task.model, own.mapping)),
    }
  }

  /** Queries the provider and returns its answer unchanged. */
  async function seed(task: StoredTask, format: TaskFormat, signal: AbortSignalLike): Promise<TaskReply> {
    const { channel, endpoint } = getPlace(task)
    const question = endpoint.dialect.seed?.(task.upstream_id) ?? fail('task.missing', { id: task.task_id })
    return ok(await queryTask(question, { channel, endpoint, format, patience_ms: SEED_PATIENCE_MS }, signal, ports))
  }

  const file: ShowTaskFile = async (user, { id, ...request }, signal) => {
    await countReadRequest(user.id, ports)
    const task = await storage.tasks.find(id)
    if (!task || (task.user_id !== user.id && !isAdmin(user)) || isForgotten(task)) return fail('task.missing', { id })
    return content(task, request, signal)
  }

  const ask: QueryTasks = async (caller, request, signal) => {
    await admitReadRequest(caller, ports)
    const { wants, format } = request
    if (wants === 'list') return page(caller, request)
    if (wants === 'many') return many(caller, request)
    const task = await ownTask(caller, request)
    switch (wants) {
      case 'read':
        return ok(format.writeTask(toPublic(task), request.action))
      case 'content':
        return content(task, request, signal)
      case 'delete': {
        if (!isOver(task.status)) fail('task.open')
        await storage.tasks.forget(task.id, FORGOTTEN_TASK_DETAILS)
        return ok(format.deleted?.(toPublic(task)) ?? {})
      }
      case 'seed':
        return seed(task, format, signal)
      case 'notify':
        await storage.tasks.wake(task.id)
        return ok({})
    }
  }
  return { ask, file }
}

/** Returns the film, or its image if the variant asks for that. */
function chooseFile(files: readonly TaskFile[], variant: string | null): TaskFile | undefined {
  if (variant === 'thumbnail' || variant === 'spritesheet') return files.find(({ kind }) => kind === 'image')
  return files.find(({ kind }) => kind === 'video') ?? files[0]
}
