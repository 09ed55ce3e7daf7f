// Stores answers for the Responses API: access control, encryption and batched writes.
import type { OwnedObjectStore } from '../../calls/owned-object.ts'
import type { SignatureOwnerMemory } from '../../channels/affinity.ts'
import type { StoredResponseRow, KeptResponseStore } from '../../channels/stored-response-store.ts'
import { getUtf8Length } from '../../dialects/answers/stream-watcher.ts'
import type { CallerDialect } from '../../dialects/dialect.ts'
import type { RequestHead } from '../../dialects/requests/head.ts'
import { asText, type JsonObject } from '../../dialects/json/json-value.ts'
import { replaceCompactions } from '../../dialects/openai-responses/compaction.ts'
import { toBackgroundResponse } from '../../dialects/openai-responses/response.ts'
import type { StoredConversation } from '../../dialects/openai-responses/stored-answer.ts'
import {
  findItemAnswer,
  prependStoredConversation,
  findItemReferences,
  createAnswerId,
  findStoredItem,
  buildStoredAnswer,
  readStoredAnswer,
} from '../../dialects/openai-responses/stored-answer.ts'
import { fail } from '../../errors.ts'
import { isSameModel } from '../../models/same-model.ts'
import { type Clock, seconds } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Random } from '../../ports/random.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Settings } from '../../settings/index.ts'
import { parseSeparatedList } from '../../tokens/token.ts'
import { admitToken, findCallGroup, findPayingAccount } from '../admission.ts'
import { type OwnedCompactions, placeCompactedCall } from '../compaction/owned-compactions.ts'
import type { ObjectOwners, ObjectPlace } from '../objects/object-owners.ts'
import {
  createDialectFilter,
  isOpenObject,
  restrictToChannel,
  restrictToObjectPlace,
} from '../objects/object-owners.ts'
import type { Call, CallCaller } from '../call.ts'
import type { ModelCandidate } from '../model-candidates.ts'
import type { ProviderAnswer } from './answer.ts'

/** A stored answer that was found. */
export interface StoredResponseMatch {
  at: Pick<StoredResponseRow, 'channel_id' | 'key' | 'model'>
  /** The answer and its conversation; undefined if its provider stores it. */
  answer?: StoredConversation
}

export interface StoredResponses {
  /** Finds the answer with that id; `foreign` if it exists but belongs to another account. */
  find(id: string, caller: CallCaller): Promise<StoredResponseMatch | 'foreign' | undefined>
  /**
   * Stores an answer, and resolves once every process can find it. Never rejects, so that a failure does not cost the
   * client its answer.
   */
  keep(id: string, caller: CallCaller, response: ResponseToStore): Promise<void>
  remove(id: string): Promise<void>
}

/** The origin and the conversation of an answer that no provider stores. */
export interface ResponseToStore {
  model: string
  channel_id: number
  key: string
  answer: StoredConversation
}

interface StoredResponsePorts {
  storage: { keptResponses: KeptResponseStore; ownedObjects: Pick<OwnedObjectStore, 'remove'> }
  owners: Pick<ObjectOwners, 'find'>
  secrets: Pick<Secrets, 'hash' | 'encrypt' | 'decrypt'>
  clock: Clock
  logger: Logger
  settings(): Settings
}

const MIB = 1024 * 1024
const HOUR_MS = 3_600_000
/** Maximum number of answers in one write. */
const BATCH = 64

/** Returns the oldest creation time of answers that are still kept, in epoch ms. */
export const getRetentionStart = (
  now: number,
  { 'responses.keep_hours': hours }: Pick<Settings, 'responses.keep_hours'>,
) => (hours === 0 ? Infinity : now - hours * HOUR_MS)

/** Never throws on a failed write: it logs that the answer cannot be continued. */
export function createKeptAnswers({
  storage,
  owners,
  secrets,
  clock,
  logger,
  settings,
}: StoredResponsePorts): StoredResponses {
  const { keptResponses: store } = storage
  const write = batchWrites(async (rows: StoredResponseRow[]) => {
    const { 'responses.keep_per_user': answers, 'responses.keep_megabytes_per_user': megabytes } = settings()
    await store.keep(rows, { answers, bytes: megabytes * MIB })
  })

  return {
    async find(id, caller) {
      const at = await store.find(secrets.hash(id))
      const there = at ?? (await owners.find('response', id))
      if (!there) return undefined
      if (!assertMayRead(caller, there)) {
        // An answer that Weir stores is not a provider's object, so no setting opens it to other accounts.
        const isOpen =
          !at?.sealed && isOpenObject({ kind: 'response', id }, findCallGroup(caller, settings()), settings())
        return isOpen ? { at: there } : 'foreign'
      }
      if (!at || at.sealed === null) return { at: there }
      if (at.created_at < getRetentionStart(clock.now(), settings())) return undefined
      return {
        at,
        answer: JSON.parse(secrets.decrypt(at.sealed, ['kept_responses.sealed', at.id_hash])) as StoredConversation,
      }
    },
    async keep(id, { user, token }, { model, channel_id, key, answer }) {
      const text = JSON.stringify(answer)
      const limit = settings()['responses.keep_megabytes'] * MIB
      if (getUtf8Length(text) > limit) {
        return logger.warn('an answer was too large to be kept', { user: user.id, model, bytes: text.length })
      }
      const team = token?.team_id ? { account_id: token.team_id } : {}
      const owner = { user_id: user.id, ...team, token_id: token?.id ?? 0 }
      const id_hash = secrets.hash(id)
      const sealed = secrets.encrypt(text, ['kept_responses.sealed', id_hash])
      const row = { id_hash, ...owner, model, channel_id, key, created_at: clock.now(), sealed }
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
 * Checks read access: the account that paid may read with any of its tokens, but a token limited to some models reads
 * only answers of those models and its own.
 */
export function assertMayRead(
  { user, token }: CallCaller,
  { user_id, account_id, token_id, model }: Pick<StoredResponseRow, 'user_id' | 'account_id' | 'token_id' | 'model'>,
): boolean {
  if ((account_id ?? user_id) !== findPayingAccount({ user, token }).account_id) return false
  if (!token?.model_limits_enabled || token.id === token_id || model === '') return true
  return parseSeparatedList(token.model_limits).some((name) => isSameModel(name, model))
}

/** Batches writes: answers that arrive during a write go into the next batch. */
function batchWrites<T>(write: (batch: T[]) => Promise<void>): (one: T) => Promise<void> {
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

// Calls that continue an earlier answer. One that its provider stores is continued there, on the same channel and key;
// one that Weir stores becomes a part of the request, which any channel can answer. Only the owner may continue it.

/** Providers store answers for thirty days. */
export const PROVIDERS_KEEP_MS: number = 30 * 24 * 3_600_000

/** A call with everything that it continues. */
export interface ResumedCall {
  call: Call
  head: RequestHead
  /** Place of the continued answer, if a provider stores it. */
  at?: ObjectPlace
}

/** Stores the end of an answer: the whole body, or the last events of a stream. */
export type StoreAnswerEnd = (end: Uint8Array | undefined) => Promise<void>

export interface ResponseChain {
  /**
   * Creates the id under which Weir stores the answer unless its provider does; undefined if answers are not stored.
   */
  nameFor(call: Call, settings: Settings): string | undefined
  /**
   * Writes everything that the call refers to into its body: the answer that it continues, items by their ids,
   * summaries. A call without references is returned unchanged.
   * @throws GatewayError response.unknown, response.item_missing, compaction.unreadable, and any refusal of the token
   */
  resume(call: Call, head: RequestHead): ResumedCall | Promise<ResumedCall>
  /**
   * Restricts a call that continues data at a provider, stored or encrypted, to the one channel and key that can answer
   * it.
   * @throws GatewayError response.unknown, response.away, response.not_kept, compaction.away
   */
  place(resumed: ResumedCall, turn: ModelCandidate, settings: Settings): ModelCandidate
  /** Returns the work at the end of an answer that Weir stores. */
  keep(call: Call, head: RequestHead, answer: ProviderAnswer, from: ObjectPlace): StoreAnswerEnd | undefined
}

/** The answer that a call continues. */
interface Previous {
  at?: ObjectPlace
  answer?: StoredConversation | undefined
  continues?: string
  /** False if all of its items were made by its provider. */
  borrowed?: boolean
}

interface ResponseChainPorts {
  answers: StoredResponses
  compactions: Pick<OwnedCompactions, 'decrypt'>
  makers: Pick<SignatureOwnerMemory, 'find'>
  clock: Clock
  random: Random
}
/** Maximum number of answers that a request may reference items of. */
const MOST_REFERRED = 32

export function createKeptResponses({
  answers,
  compactions,
  makers,
  clock,
  random,
}: ResponseChainPorts): ResponseChain {
  /** Loads the referenced items that Weir stores. Items with other ids are left to their provider. */
  async function loadReferencedItems(body: Uint8Array, caller: CallCaller): Promise<Map<string, JsonObject>> {
    const items = new Map<string, JsonObject>()
    const opened = new Map<string, StoredConversation | undefined>()
    for (const id of findItemReferences(body)) {
      const answer = findItemAnswer(id)
      if (answer === undefined) continue
      if (!opened.has(answer)) {
        if (opened.size === MOST_REFERRED) fail('request.invalid', { reason: 'items of too many responses' })
        const found = await answers.find(answer, caller)
        opened.set(answer, typeof found === 'object' ? found.answer : undefined)
      }
      const storedAnswer = opened.get(answer)
      items.set(id, (storedAnswer && findStoredItem(storedAnswer, id)) ?? fail('response.item_missing', { id }))
    }
    return items
  }

  /**
   * Finds the previous answer: at the provider that stores it, else in the memory of the connection, else among those
   * that Weir stores.
   */
  async function findPrevious(id: string, { caller, memory }: Call): Promise<Previous | 'foreign' | undefined> {
    const found = await answers.find(id, caller)
    const remembered = memory?.find(id)
    if (!remembered || (typeof found === 'object' && !found.answer)) return found
    const { answer, continues, borrowed } = remembered
    if (continues === undefined) return { answer, borrowed }
    const before = await answers.find(continues, caller)
    return before === 'foreign' ? before : { answer, continues, borrowed, ...(before ? { at: before.at } : {}) }
  }

  return {
    nameFor({ body }, { 'responses.keep_hours': hours, 'responses.keep_megabytes': megabytes }) {
      return hours > 0 && body.length <= megabytes * MIB ? createAnswerId((length) => random.text(length)) : undefined
    },
    resume(call, head) {
      return head.continues || head.refers || head.summed ? resumeStored(call, head) : { call, head }
    },
    place({ call: { inbound }, at }, turn, settings) {
      const { head, admission } = turn
      const id = head.continues
      if (id === undefined)
        return head.compaction === undefined ? turn : placeCompactedCall(makers, turn, head.compaction)
      const channels = admission.candidates.flatMap((tier) => tier.channels)
      if (at) return restrictToObjectPlace(turn, at) ?? fail('response.away')
      const able = channels.filter(createDialectFilter(inbound))
      const keys = able.flatMap(({ keys: all }) => all.filter(({ on }) => on))
      const [only] = keys
      const channel = able.find((each) => only && each.keys.includes(only))
      // Only root can allow continuing an answer that no account of this site got.
      const isOpen = isOpenObject({ kind: 'response', id }, admission.group, settings)
      if (isOpen && only && channel && keys.length === 1)
        return { head, admission: restrictToChannel(admission, { ...channel, keys: [only] }) }
      if (able.length === 0 && settings['responses.keep_hours'] === 0) fail('response.not_kept')
      return fail('response.unknown', { id })
    },
    keep(call, head, answer, at) {
      const keepEnd = head.storesAnswer ? storeAnswer(call, head, answer, at) : undefined
      const { memory, body } = call
      if (!memory) return keepEnd
      return async (end) => {
        const read = end && readStoredAnswer(body, end, answer.kind === 'stream')
        const borrowed = !answer.same || head.borrowed === true
        const id = asText(read?.response.id)
        const { continues } = head
        if (read && id !== undefined)
          memory.keep({ id, answer: read, borrowed, ...(continues === undefined ? {} : { continues }) })
        await keepEnd?.(end)
      }
    },
  }

  async function resumeStored(call: Call, head: RequestHead): Promise<ResumedCall> {
    const { caller, inbound, place } = call
    admitToken(caller, seconds(clock))
    const { continues: id } = head
    const found = id === undefined ? undefined : await findPrevious(id, call)
    if (found === 'foreign') return fail('response.unknown', { id: id ?? '' })
    const items = head.refers ? await loadReferencedItems(call.body, caller) : NONE
    const isContinued = found?.answer !== undefined || items.size > 0
    const whole = isContinued ? prependStoredConversation(call.body, found?.answer, items, found?.continues) : call.body
    const body = replaceCompactions(whole, (sealed) => compactions.decrypt(sealed, caller))
    if (body === call.body) return { call, head, at: found?.at }
    const { repeated, ...fresh } = inbound.readRequestHead(body, place)
    const echoed = { ...repeated, ...(id === undefined ? {} : { previous_response_id: id }) }
    // The items are Weir's: a provider of the same format receives their content, and not their ids.
    const isBorrowed = isContinued && (found?.borrowed !== false || items.size > 0)
    const borrowed = isBorrowed ? { borrowed: true as const } : {}
    return { call: { ...call, body }, head: { ...fresh, repeated: echoed, ...borrowed }, at: found?.at }
  }

  function storeAnswer(
    { caller, inbound, body, deferred }: Call,
    head: RequestHead,
    answer: ProviderAnswer,
    at: ObjectPlace,
  ): StoreAnswerEnd | undefined {
    const from = { model: head.model, ...at }
    // An answer that its provider stores gets its row with the charge.
    const id = answer.same && !deferred ? findAnswerId(inbound, answer) : head.kept_as
    if (id === undefined || id !== head.kept_as) return undefined
    return async (end) => {
      const storedAnswer = end && buildStoredAnswer(body, end, answer.kind === 'stream')
      const stored =
        storedAnswer && deferred
          ? { ...storedAnswer, response: toBackgroundResponse(storedAnswer.response, id) }
          : storedAnswer
      if (stored) await answers.keep(id, caller, { ...from, answer: stored })
    }
  }
}

const NONE: Map<string, JsonObject> = new Map()

/** Finds the answer's id. A stream contains it before its first content. */
function findAnswerId({ answerId }: CallerDialect, answer: ProviderAnswer): string | undefined {
  if (answer.kind === 'whole') return answerId?.(answer.body)
  for (const piece of answer.pieces) {
    const id = piece instanceof Uint8Array ? answerId?.(piece) : undefined
    if (id !== undefined) return id
  }
  return undefined
}
