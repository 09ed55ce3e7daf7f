// The shelf of kept answers: who may take one from it, how it is sealed, and when it is written.
import type { KeptResponse, KeptResponseStore } from '../../channels/kept-response-store.ts'
import type { KeptAnswer } from '../../dialects/openai-responses/kept.ts'
import { byteLength } from '../../dialects/meter.ts'
import { sameModel } from '../../models/same-model.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Settings } from '../../settings/index.ts'
import { listOf } from '../../tokens/token.ts'
import type { CallCaller } from '../call.ts'

/** An answer on the shelf. */
export interface Found {
  at: KeptResponse
  /** What was said; undefined where its provider keeps it. */
  answer?: KeptAnswer
}

export interface KeptAnswers {
  /** The answer of that id; `foreign` where it is there, but not for this caller. */
  find(id: string, caller: CallCaller): Promise<Found | 'foreign' | undefined>
  /** Resolves once it can be found, by every process; an answer is worth more than keeping it, so that never rejects. */
  keep(id: string, caller: CallCaller, kept: Kept): Promise<void>
  remove(id: string): Promise<void>
}

/** Where an answer comes from, and what was said where no provider keeps it. */
export interface Kept {
  model: string
  channel_id: number
  key: string
  answer?: KeptAnswer
}

interface Ports {
  storage: { keptResponses: KeptResponseStore }
  secrets: Pick<Secrets, 'hash' | 'encrypt' | 'decrypt'>
  clock: Clock
  logger: Logger
  settings(): Settings
}

const MIB = 1024 * 1024
const HOUR_MS = 3_600_000
/** Answers in one write. */
const BATCH = 64

/** Since when answers that Weir keeps are still kept, in epoch ms. */
export const keptSince = (now: number, { 'responses.keep_hours': hours }: Pick<Settings, 'responses.keep_hours'>) =>
  hours === 0 ? Infinity : now - hours * HOUR_MS

/** @throws nothing when it cannot write: then the answer cannot be gone on with, which the log says */
export function createKeptAnswers({ storage, secrets, clock, logger, settings }: Ports): KeptAnswers {
  const { keptResponses: store } = storage
  const write = inGroups(async (rows: KeptResponse[]) => {
    const { 'responses.keep_per_user': answers, 'responses.keep_megabytes_per_user': megabytes } = settings()
    const own = rows.some(({ sealed }) => sealed !== null)
    await store.keep(rows, own ? { answers, bytes: megabytes * MIB } : undefined)
  })

  return {
    async find(id, caller) {
      const at = await store.find(secrets.hash(id))
      if (!at) return undefined
      if (!mayRead(caller, at)) return 'foreign'
      if (at.sealed === null) return { at }
      if (at.created_at < keptSince(clock.now(), settings())) return undefined
      return { at, answer: JSON.parse(secrets.decrypt(at.sealed, ['kept_responses.sealed', at.id_hash])) as KeptAnswer }
    },
    async keep(id, { user, token }, { model, channel_id, key, answer }) {
      const said = answer && JSON.stringify(answer)
      const limit = settings()['responses.keep_megabytes'] * MIB
      if (said !== undefined && byteLength(said) > limit) {
        return logger.warn('an answer was too large to be kept', { user: user.id, model, bytes: said.length })
      }
      const who = { user_id: user.id, token_id: token?.id ?? 0 }
      const id_hash = secrets.hash(id)
      const sealed = said === undefined ? null : secrets.encrypt(said, ['kept_responses.sealed', id_hash])
      const row = { id_hash, ...who, model, channel_id, key, created_at: clock.now(), sealed }
      await write(row).catch((error: unknown) => {
        logger.warn('an answer could not be kept', { channel_id, error: String(error) })
      })
    },
    remove: (id) => store.remove(secrets.hash(id)),
  }
}

/**
 * Whoever was answered, by any of their tokens; but a token that is limited to some models reads answers of those alone,
 * beside its own.
 */
export function mayRead(
  { user, token }: CallCaller,
  { user_id, token_id, model }: Pick<KeptResponse, 'user_id' | 'token_id' | 'model'>,
): boolean {
  if (user_id !== user.id) return false
  if (!token?.model_limits_enabled || token.id === token_id || model === '') return true
  return listOf(token.model_limits).some((name) => sameModel(name, model))
}

/** What comes while one write is under way goes into the next one. */
function inGroups<T>(write: (batch: T[]) => Promise<void>): (one: T) => Promise<void> {
  const waiting: { one: T; resolve(): void; reject(error: unknown): void }[] = []
  let busy = false

  async function run(): Promise<void> {
    busy = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH)
      await write(batch.map(({ one }) => one)).then(
        () => batch.forEach(({ resolve }) => resolve()),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      )
    }
    busy = false
  }
  return (one) =>
    new Promise((resolve, reject) => {
      waiting.push({ one, resolve, reject })
      if (!busy) void run()
    })
}
