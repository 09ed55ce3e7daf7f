// Keeps bodies behind their answers: encrypted and written one by one, as far as there is room; what comes faster than storage
// takes it is dropped and counted. No call waits for any of it.
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Secrets } from '../ports/secrets.ts'
import { seconds } from '../ports/clock.ts'
import type { Settings } from '../settings/index.ts'
import type { BodyContent } from './kept-body.ts'
import type { BodyStore } from './store.ts'

/** So much of a body, and the size of the whole. */
export interface Copied {
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
  request: Copied
  answer: Copied
  status: number
  error: string
}

export interface BodyKeeper {
  /** Bytes that are kept of each body; 0 where nothing is. */
  limit(): number
  /** Takes it, or drops it. Never throws, and nobody waits. */
  take(call: CopiedCall): void
  /** Dropped by this process since it began. */
  dropped(): number
  /** Forgets what is kept no longer, and looks how much there is. */
  prune(): Promise<void>
  /** Resolves once everything that was taken is written. */
  settled(): Promise<void>
}

interface Ports {
  storage: { bodies: BodyStore }
  secrets: Pick<Secrets, 'sealFor'>
  clock: Clock
  logger: Logger
  settings(): Settings
}

/** What may wait to be written. */
const MOST_WAITING = 64
const MOST_WAITING_BYTES = 32 * 1024 * 1024
const KIB = 1024
const MIB = KIB * KIB
const HOUR = 3600

/** Since when bodies are kept, in epoch seconds. */
export const bodiesSince = (now: number, { 'bodies.keep_hours': hours }: Settings) =>
  // Not those of this very second either, where none are kept.
  hours === 0 ? now + 1 : now - hours * HOUR

export function createBodyKeeper({ storage, secrets, clock, logger, settings }: Ports): BodyKeeper {
  const waiting: CopiedCall[] = []
  let waitingBytes = 0
  let writing: Promise<void> | undefined
  let dropped = 0
  /** Bytes of all that is kept, as far as it is known; nothing is taken before it is. */
  let total = 0

  const sizeOf = ({ request, answer }: CopiedCall) => request.bytes.length + answer.bytes.length
  const most = () => settings()['bodies.megabytes'] * MIB

  async function write(): Promise<void> {
    for (let call = waiting[0]; call; call = waiting[0]) {
      try {
        const { recipient, user_id, token_id, request_id, at } = call
        const sealed = await secrets.sealFor(recipient, JSON.stringify(contentOf(call)))
        const { 'bodies.per_user': calls, 'bodies.megabytes_per_user': megabytes } = settings()
        const row = { request_id, user_id, token_id, created_at: Math.floor(at / 1000), sealed }
        await storage.bodies.add(row, recipient, { calls, bytes: megabytes * MIB })
        total += sealed.length
      } catch (error) {
        drop(String(error))
      }
      waiting.shift()
      waitingBytes -= sizeOf(call)
    }
    writing = undefined
  }

  function drop(why: string): void {
    dropped += 1
    // One line for many: what is slow now is slow for the next ones, too.
    if (dropped === 1 || dropped % 100 === 0) logger.warn('bodies of calls were dropped', { dropped, why })
  }

  return {
    limit: () => (settings()['bodies.keep_hours'] === 0 ? 0 : settings()['bodies.kilobytes'] * KIB),
    take(call) {
      const size = sizeOf(call)
      if (waiting.length >= MOST_WAITING || waitingBytes + size > MOST_WAITING_BYTES) return drop('storage is too slow')
      if (total + waitingBytes + size > most()) return drop('there is no more room for them')
      waiting.push(call)
      waitingBytes += size
      writing ??= write()
    },
    dropped: () => dropped,
    async prune() {
      await storage.bodies.prune(bodiesSince(seconds(clock), settings()), most())
      total = await storage.bodies.size()
    },
    async settled() {
      await writing
    },
  }
}

function contentOf({ request_id, at, request, answer, status, error }: CopiedCall): BodyContent {
  return {
    ...{ request_id, at: new Date(at).toISOString() },
    ...{ request: partOf(request), answer: partOf(answer), status, error },
  }
}

function partOf({ bytes, size }: Copied): BodyContent['request'] {
  const cut = bytes.length < size
  try {
    // A character that the end cuts through is left out.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut })
    return { text, bytes: size, cut }
  } catch {
    let binary = ''
    for (const byte of bytes) binary += String.fromCharCode(byte)
    return { base64: btoa(binary), bytes: size, cut }
  }
}
