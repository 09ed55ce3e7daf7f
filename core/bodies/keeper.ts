// Stores bodies after their answers: encrypted and written one by one, as far as there is space. Bodies that arrive
// faster than the database can store them are dropped and counted. No call waits.
import { type Clock, seconds } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Settings } from '../settings/index.ts'
import type { BodyContent } from './stored-body.ts'
import type { BodyStore } from './store.ts'

/** The stored part of a body, and the size of the whole. */
export interface TruncatedBody {
  bytes: Uint8Array
  size: number
}

export interface CopiedCall {
  recipient: string
  user_id: number
  token_id: number
  request_id: string
  /** Epoch ms. */
  at: number
  request: TruncatedBody
  answer: TruncatedBody
  status: number
  error: string
}

export interface BodyKeeper {
  /** Maximum stored bytes per body; 0 if none are stored. */
  limit(): number
  /** Stores or drops the bodies of a call. Never throws and never waits. */
  take(call: CopiedCall): void
  /** Number of calls dropped since this process started. */
  dropped(): number
  /** Deletes expired bodies, and measures the rest. */
  prune(): Promise<void>
  /** Resolves once all accepted bodies are written. */
  settled(): Promise<void>
}

interface KeeperPorts {
  storage: { bodies: BodyStore }
  secrets: Pick<Secrets, 'sealFor'>
  clock: Clock
  logger: Logger
  settings(): Settings
}

/** Limits of the queue. */
const MOST_WAITING = 64
const MOST_WAITING_BYTES = 32 * 1024 * 1024
const KIB = 1024
const MIB = KIB * KIB
const HOUR = 3600

/** Returns the time from which bodies are stored, in epoch seconds. */
export const getBodyRetentionStart = (now: number, { 'bodies.keep_hours': hours }: Settings) =>
  // With 0 hours, those of the current second are excluded as well.
  hours === 0 ? now + 1 : now - hours * HOUR

export function createBodyKeeper({ storage, secrets, clock, logger, settings }: KeeperPorts): BodyKeeper {
  const waiting: CopiedCall[] = []
  let waitingBytes = 0
  let writing: Promise<void> | undefined
  let dropped = 0
  /** Bytes of all stored bodies. No body is accepted before the size is known. */
  let total = 0

  const getSize = ({ request, answer }: CopiedCall) => request.bytes.length + answer.bytes.length
  const most = () => settings()['bodies.megabytes'] * MIB

  async function write(): Promise<void> {
    for (let call = waiting[0]; call; call = waiting[0]) {
      try {
        const { recipient, user_id, token_id, request_id, at } = call
        const sealed = await secrets.sealFor(recipient, JSON.stringify(toContent(call)))
        const { 'bodies.per_user': calls, 'bodies.megabytes_per_user': megabytes } = settings()
        const row = { request_id, user_id, token_id, created_at: Math.floor(at / 1000), sealed }
        await storage.bodies.add(row, recipient, { calls, bytes: megabytes * MIB })
        total += sealed.length
      } catch (error) {
        drop(String(error))
      }
      waiting.shift()
      waitingBytes -= getSize(call)
    }
    writing = undefined
  }

  function drop(why: string): void {
    dropped += 1
    // One line for many: a slow database affects the next bodies as well.
    if (dropped === 1 || dropped % 100 === 0) logger.warn('bodies of calls were dropped', { dropped, why })
  }

  return {
    limit: () => (settings()['bodies.keep_hours'] === 0 ? 0 : settings()['bodies.kilobytes'] * KIB),
    take(call) {
      const size = getSize(call)
      if (waiting.length >= MOST_WAITING || waitingBytes + size > MOST_WAITING_BYTES) return drop('storage is too slow')
      if (total + waitingBytes + size > most()) return drop('there is no more room for them')
      waiting.push(call)
      waitingBytes += size
      writing ??= write()
    },
    dropped: () => dropped,
    async prune() {
      await storage.bodies.prune(getBodyRetentionStart(seconds(clock), settings()), most())
      total = await storage.bodies.size()
    },
    async settled() {
      await writing
    },
  }
}

function toContent({ request_id, at, request, answer, status, error }: CopiedCall): BodyContent {
  return {
    request_id,
    at: new Date(at).toISOString(),
    request: toPart(request),
    answer: toPart(answer),
    status,
    error,
  }
}

function toPart({ bytes, size }: TruncatedBody): BodyContent['request'] {
  const cut = bytes.length < size
  try {
    // A character that is cut at the end is omitted.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut })
    return { text, bytes: size, cut }
  } catch {
    let binary = ''
    for (const byte of bytes) binary += String.fromCharCode(byte)
    return { base64: btoa(binary), bytes: size, cut }
  }
}
