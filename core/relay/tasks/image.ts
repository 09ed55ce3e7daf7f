// Serves the image of a drawing without a key, under an unguessable address. It is fetched from the provider's own host
// or from a public https address only.
import type { ChannelIndex } from '../../channels/channel-index.ts'
import { getUpstreamModelName } from '../../channels/routed-channel.ts'
import { joinByteArrays } from '../../dialects/json/json-bytes.ts'
import { findTaskFormat } from '../../dialects/tasks/task-formats.ts'
import { fail, GatewayError } from '../../errors.ts'
import type { ApiLimits } from '../../limits/api-rate.ts'
import type { AbortSignalLike } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import type { ReplyBody } from '../../ports/upstream.ts'
import type { WebClient } from '../../ports/web.ts'
import { isOver, type StoredTask } from '../../tasks/task.ts'
import { readWholeBody } from '../answers/read-body.ts'
import type { ByteShare } from '../call.ts'
import { findTaskEndpoint } from './submit.ts'
import { fetchTaskFile, isOwnHost, type TaskQueryPorts } from './task-query.ts'

/** An image request. `range` and `known` are the headers `range` and `if-none-match`. */
export interface PictureWanted {
  secret: string
  /** A share of the bytes in progress of that user; the caller ends it. */
  openShare(user_id: number): Pick<ByteShare, 'take'>
  range?: string
  known?: string
}

export interface Picture {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

/** @throws GatewayError task.file_gone, limit.requests, limit.bytes */
export type ShowPicture = (query: PictureWanted, signal: AbortSignalLike) => Promise<Picture>

interface TaskImagePorts extends TaskQueryPorts {
  storage: Pick<Storage, 'tasks'>
  limits: Pick<ApiLimits, 'count'>
  index: Pick<ChannelIndex, 'find'>
  web: WebClient
}

const MOST_BYTES = 32 * 1024 * 1024
const PATIENCE_MS = 30_000
/** Image types that no browser executes. */
const TYPES = /^image\/(png|jpeg|webp|gif|avif|bmp)$/
const KEPT_HEADERS = ['content-range', 'accept-ranges', 'last-modified']
const DAY_SECONDS = 86_400

export function createShowPicture({ storage, limits, index, web, ...ports }: TaskImagePorts): ShowPicture {
  return async ({ secret, openShare, range, known }, signal) => {
    const task = await storage.tasks.findByNotifyKey(secret)
    if (!task || task.image_url === '') return fail('task.file_gone', { id: secret })
    const cached = getCacheHeaders(task)
    // A finished drawing does not change.
    if (cached.etag !== undefined && known === cached.etag) return { status: 304, headers: cached, body: NOTHING }
    // Counted separately from the owner's reads, since the address may be published anywhere.
    await limits.count('reads', `pictures:${task.user_id}`)
    const { status, headers, body } = await fetchImage(task, range, openShare(task.user_id), signal)
    const type = (headers['content-type'] ?? 'image/jpeg').split(';', 1)[0]!.trim().toLowerCase()
    if ((status !== 200 && status !== 206) || !TYPES.test(type)) return fail('task.file_gone', { id: secret })
    const forwarded = KEPT_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))
    return {
      status,
      headers: {
        ...Object.fromEntries(forwarded),
        ...cached,
        'content-type': type,
        'content-security-policy': 'sandbox',
      },
      body,
    }
  }

  async function fetchImage(
    task: StoredTask,
    range: string | undefined,
    share: Pick<ByteShare, 'take'>,
    signal: AbortSignalLike,
  ): Promise<Picture> {
    const failGone = () => fail('task.file_gone', { id: task.task_id })
    const url = URL.canParse(task.image_url) ? new URL(task.image_url) : failGone()
    const channel = index.find(task.channel_id)
    try {
      if (channel && isOwnHost(url.href, channel)) {
        const format = findTaskFormat(task.format) ?? failGone()
        const endpoint = findTaskEndpoint(channel, format, getUpstreamModelName(task.model, channel.mapping))
        const fileRequest = { url: url.href, keyed: false, range }
        const reply = await fetchTaskFile(fileRequest, { channel, endpoint, patience_ms: PATIENCE_MS }, signal, ports)
        return { ...reply, body: await readWholeBody(countBytes(reply.body, share), MOST_BYTES) }
      }
      if (url.protocol !== 'https:') return failGone()
      const headers = range === undefined ? undefined : { range }
      const limits = { timeout_ms: PATIENCE_MS, max_bytes: MOST_BYTES, by_worker: true } as const
      const parts: Uint8Array[] = []
      const take = (part: Uint8Array) => {
        share.take(part.length)
        parts.push(part)
      }
      const reply = await web.send({ method: 'GET', url: url.href, headers, ...limits, take })
      if (reply.status === 200) return { ...reply, body: joinByteArrays(parts) }
      share.take(reply.body.length)
      return reply
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'limit.bytes') throw error
      return failGone()
    }
  }
}

async function* countBytes(body: ReplyBody, share: Pick<ByteShare, 'take'>): AsyncGenerator<Uint8Array> {
  for await (const part of body) {
    share.take(part.length)
    yield part
  }
}

const getCacheHeaders = (task: StoredTask): Record<string, string> =>
  isOver(task.status)
    ? { 'cache-control': `private, max-age=${DAY_SECONDS}`, etag: `"${task.id}-${task.finish_time}"` }
    : { 'cache-control': 'no-store' }

const NOTHING = new Uint8Array()
