// The shelf of kept answers: who may take one from it, how it is sealed, and when it is written.
import type { OwnedObjectStore } from '../../calls/owned-object.ts'
import type { KeptResponse, KeptResponseStore } from '../../channels/kept-response-store.ts'
import type { KeptAnswer } from '../../dialects/openai-responses/kept.ts'
import { byteLength } from '../../dialects/meter.ts'
import { sameModel } from '../../models/same-model.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Settings } from '../../settings/index.ts'
import { parseList } from '../../tokens/token.ts'
import type { CallCaller } from '../call.ts'
import { findCallGroup } from '../admission.ts'
import { isOpenObject } from '../objects/allowed-objects.ts'
import type { ObjectOwners } from '../objects/object-owners.ts'
import { findPayer } from '../paying-account.ts'

/** An answer on the shelf. */
export interface StoredResponseMatch {
  at: Pick<KeptResponse, 'channel_id' | 'key' | 'model'>
  /** What was said; undefined where its provider keeps it. */
  answer?: KeptAnswer
}

export interface StoredResponses {
  /** The answer of that id; `foreign` where it is there, but not for this caller. */
  find(id: string, caller: CallCaller): Promise<StoredResponseMatch | 'foreign' | undefined>
  /** Resolves once it can be found, by every process; an answer is worth more than keeping it, so that never rejects. */
  keep(id: string, caller: CallCaller, kept: ResponseToStore): Promise<void>
  remove(id: string): Promise<void>
}

/** The origin and the conversation of an answer that no provider keeps. */
export interface ResponseToStore {
  model: string
  channel_id: number
  key: string
  answer: KeptAnswer
}

interface Ports {
  storage: { keptResponses: KeptResponseStore; ownedObjects: Pick<OwnedObjectStore, 'remove'> }
  owners: Pick<ObjectOwners, 'find'>
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
export function createKeptAnswers({ storage, owners, secrets, clock, logger, settings }: Ports): StoredResponses {
  const { keptResponses: store } = storage
  const write = inGroups(async (rows: KeptResponse[]) => {
    const { 'responses.keep_per_user': answers, 'responses.keep_megabytes_per_user': megabytes } = settings()
    await store.keep(rows, { answers, bytes: megabytes * MIB })
  })

  return {
    async find(id, caller) {
      const at = await store.find(secrets.hash(id))
      const there = at ?? (await owners.find('response', id))
      if (!there) return undefined
      if (!mayRead(caller, there)) {
        // An answer that Weir keeps is not a provider's object, so no setting opens it to other accounts.
        const isOpen =
          !at?.sealed && isOpenObject({ kind: 'response', id }, findCallGroup(caller, settings()), settings())
        return isOpen ? { at: there } : 'foreign'
      }
      if (!at || at.sealed === null) return { at: there }
      if (at.created_at < keptSince(clock.now(), settings())) return undefined
      return { at, answer: JSON.parse(secrets.decrypt(at.sealed, ['kept_responses.sealed', at.id_hash])) as KeptAnswer }
    },
    async keep(id, { user, token }, { model, channel_id, key, answer }) {
      const said = JSON.stringify(answer)
      const limit = settings()['responses.keep_megabytes'] * MIB
      if (byteLength(said) > limit) {
        return logger.warn('an answer was too large to be kept', { user: user.id, model, bytes: said.length })
      }
      const team = token?.team_id ? { account_id: token.team_id } : {}
      const who = { user_id: user.id, ...team, token_id: token?.id ?? 0 }
      const id_hash = secrets.hash(id)
      const sealed = secrets.encrypt(said, ['kept_responses.sealed', id_hash])
      const row = { id_hash, ...who, model, channel_id, key, created_at: clock.now(), sealed }
      await write(row).catch((error: unknown) => {
        logger.warn('an answer could not be kept', { channel_id, error: String(error) })
      })
    },
    async remove(id) {
      await store.remove(secrets.hash(id))
      await storage.ownedObjects.remove({ kind: 'response', id })
    },
  }
}

/**
 * The account that paid for it, by any of its tokens; but a token that is limited to some models reads answers of those alone,
 * beside its own.
 */
export function mayRead(
  { user, token }: CallCaller,
  { user_id, account_id, token_id, model }: Pick<KeptResponse, 'user_id' | 'account_id' | 'token_id' | 'model'>,
): boolean {
  if ((account_id ?? user_id) !== findPayer({ user, token }).account_id) return false
  if (!token?.model_limits_enabled || token.id === token_id || model === '') return true
  return parseList(token.model_limits).some((name) => sameModel(name, model))
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
