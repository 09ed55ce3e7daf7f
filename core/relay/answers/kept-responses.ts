// Calls that go on with an earlier answer. One that its provider keeps is gone on with there, by the same channel and
// key; one that Weir keeps becomes a part of the request, which any channel can answer. For nobody but its owner.
import type { SignatureOwners } from '../../channels/proof-makers.ts'
import type { RequestHead } from '../../dialects/head.ts'
import type { AnyDialect } from '../../dialects/dialect.ts'
import { asText, type JsonObject } from '../../dialects/json-value.ts'
import { asDeferred } from '../../dialects/openai-responses/deferred.ts'
import { openCompactions } from '../../dialects/openai-responses/compaction.ts'
import {
  answerOfItem,
  freshId,
  itemOf,
  keptAnswer,
  readAnswer,
  findItemReferences,
  continueConversation,
  type KeptAnswer,
} from '../../dialects/openai-responses/kept.ts'
import { fail } from '../../errors.ts'
import { seconds, type Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Settings } from '../../settings/index.ts'
import { admitToken } from '../admission.ts'
import type { OwnedCompactions } from '../compaction/owned-compactions.ts'
import { placeCompaction } from '../compaction/place-compaction.ts'
import type { Answer } from './answer.ts'
import type { Call, CallCaller } from '../call.ts'
import type { StoredResponses } from './kept-answers.ts'
import type { ModelCandidate } from '../models.ts'
import { isOpenObject } from '../objects/allowed-objects.ts'
import { alone, speaks, turnAt, type ObjectPlace } from '../objects/object-owners.ts'

/** Providers keep answers for thirty days. */
export const PROVIDERS_KEEP_MS: number = 30 * 24 * 3_600_000

/** A call with all that it goes on with. */
export interface ResumedCall {
  call: Call
  head: RequestHead
  /** Where the answer is that it goes on with, if a provider keeps it. */
  at?: ObjectPlace
}

/** Keeps the end of an answer: its whole body, or the last of its stream. */
export type KeepEnd = (end: Uint8Array | undefined) => Promise<void>

export interface ResponseChain {
  /** The id under which Weir will keep the answer, unless its provider does; undefined where none is kept. */
  nameFor(call: Call, settings: Settings): string | undefined
  /**
   * The call with everything that it stands on in its body: the answer that it continues, items by their ids, summaries. A
   * call that stands for itself comes back as it is.
   * @throws GatewayError response.unknown, response.item_missing, compaction.unreadable, and what refuses the token
   */
  resume(call: Call, head: RequestHead): ResumedCall | Promise<ResumedCall>
  /**
   * The turn of a call that continues what a provider keeps, or what it has encrypted: of its candidates, the one channel and
   * key that can.
   * @throws GatewayError response.unknown, response.away, response.not_kept, compaction.away
   */
  place(resumed: ResumedCall, turn: ModelCandidate, settings: Settings): ModelCandidate
  /** The work at the end of an answer that Weir keeps. */
  keep(call: Call, head: RequestHead, answer: Answer, from: ObjectPlace): KeepEnd | undefined
}

/** The answer that a call continues. */
interface Previous {
  at?: ObjectPlace
  answer?: KeptAnswer | undefined
  continues?: string
  /** False where all its items are its provider's own. */
  borrowed?: boolean
}

interface Ports {
  answers: StoredResponses
  compactions: Pick<OwnedCompactions, 'decrypt'>
  makers: Pick<SignatureOwners, 'find'>
  clock: Clock
  random: Random
}

const MIB = 1024 * 1024
/** Of so many answers a request may hold items by their ids. */
const MOST_REFERRED = 32

export function createKeptResponses({ answers, compactions, makers, clock, random }: Ports): ResponseChain {
  /** Items that Weir keeps; those of other ids are their provider's to know. */
  async function referred(body: Uint8Array, caller: CallCaller): Promise<Map<string, JsonObject>> {
    const items = new Map<string, JsonObject>()
    const opened = new Map<string, KeptAnswer | undefined>()
    for (const id of findItemReferences(body)) {
      const answer = answerOfItem(id)
      if (answer === undefined) continue
      if (!opened.has(answer)) {
        if (opened.size === MOST_REFERRED) fail('request.invalid', { reason: 'items of too many responses' })
        const found = await answers.find(answer, caller)
        opened.set(answer, typeof found === 'object' ? found.answer : undefined)
      }
      const kept = opened.get(answer)
      items.set(id, (kept && itemOf(kept, id)) ?? fail('response.item_missing', { id }))
    }
    return items
  }

  /** Finds the previous answer: at the provider that keeps it, else in the memory of the connection, else among those that Weir keeps. */
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
      return hours > 0 && body.length <= megabytes * MIB ? freshId((length) => random.text(length)) : undefined
    },
    resume(call, head) {
      return head.continues || head.refers || head.summed ? resumeKept(call, head) : { call, head }
    },
    place({ call: { inbound }, at }, turn, settings) {
      const { head, admission } = turn
      const id = head.continues
      if (id === undefined) return head.compaction === undefined ? turn : placeCompaction(makers, turn, head.compaction)
      const channels = admission.candidates.flatMap((tier) => tier.channels)
      if (at) return turnAt(turn, at) ?? fail('response.away')
      const able = channels.filter(speaks(inbound))
      const keys = able.flatMap(({ keys: all }) => all.filter(({ on }) => on))
      const [only] = keys
      const channel = able.find((each) => only && each.keys.includes(only))
      // Of what nobody here has got, nobody but root can say that it may be gone on with.
      const isOpen = isOpenObject({ kind: 'response', id }, admission.group, settings)
      if (isOpen && only && channel && keys.length === 1)
        return { head, admission: alone(admission, { ...channel, keys: [only] }) }
      if (able.length === 0 && settings['responses.keep_hours'] === 0) fail('response.not_kept')
      return fail('response.unknown', { id })
    },
    keep(call, head, answer, at) {
      const keepEnd = head.keeps ? keepOnShelf(call, head, answer, at) : undefined
      const { memory, body } = call
      if (!memory) return keepEnd
      return async (end) => {
        const read = end && readAnswer(body, end, answer.kind === 'stream')
        const borrowed = !answer.same || head.borrowed === true
        const id = asText(read?.response.id)
        const { continues } = head
        if (read && id !== undefined)
          memory.keep({ id, answer: read, borrowed, ...(continues === undefined ? {} : { continues }) })
        await keepEnd?.(end)
      }
    },
  }

  async function resumeKept(call: Call, head: RequestHead): Promise<ResumedCall> {
    const { caller, inbound, place } = call
    admitToken(caller, seconds(clock))
    const { continues: id } = head
    const found = id === undefined ? undefined : await findPrevious(id, call)
    if (found === 'foreign') return fail('response.unknown', { id: id ?? '' })
    const items = head.refers ? await referred(call.body, caller) : NONE
    const isContinued = found?.answer !== undefined || items.size > 0
    const whole = isContinued ? continueConversation(call.body, found?.answer, items, found?.continues) : call.body
    const body = openCompactions(whole, (sealed) => compactions.decrypt(sealed, caller))
    if (body === call.body) return { call, head, at: found?.at }
    const { repeated, ...fresh } = inbound.readHead(body, place)
    const echoed = { ...repeated, ...(id === undefined ? {} : { previous_response_id: id }) }
    // Its items are Weir's: a provider of the same format, too, is sent them in words and not by their ids.
    const isBorrowed = isContinued && (found?.borrowed !== false || items.size > 0)
    const borrowed = isBorrowed ? { borrowed: true as const } : {}
    return { call: { ...call, body }, head: { ...fresh, repeated: echoed, ...borrowed }, at: found?.at }
  }

  function keepOnShelf(
    { caller, inbound, body, deferred }: Call,
    head: RequestHead,
    answer: Answer,
    at: ObjectPlace,
  ): KeepEnd | undefined {
    const from = { model: head.model, ...at }
    // An answer that its provider keeps gets its row with the charge.
    const id = answer.same && !deferred ? idOf(inbound, answer) : head.kept_as
    if (id === undefined || id !== head.kept_as) return undefined
    return async (end) => {
      const kept = end && keptAnswer(body, end, answer.kind === 'stream')
      const said = kept && deferred ? { ...kept, response: asDeferred(kept.response, id) } : kept
      if (said) await answers.keep(id, caller, { ...from, answer: said })
    }
  }
}

const NONE: Map<string, JsonObject> = new Map()

/** A stream says it before its first content. */
function idOf({ answerId }: AnyDialect, answer: Answer): string | undefined {
  if (answer.kind === 'whole') return answerId?.(answer.body)
  for (const piece of answer.pieces) {
    const id = piece instanceof Uint8Array ? answerId?.(piece) : undefined
    if (id !== undefined) return id
  }
  return undefined
}
