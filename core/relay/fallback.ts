// Models to fall back on: declared by a token or for a group, tried when every channel of the model asked for has failed.
import type { RequestHead } from '../dialects/dialect.ts'
import { GatewayError, type ErrorCode } from '../errors.ts'
import type { Hold } from '../quota/hold.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { listOf, type Token } from '../tokens/token.ts'
import type { Admission } from './admission.ts'
import type { Answer } from './attempt.ts'
import type { Books } from './books.ts'
import type { Call } from './call.ts'
import { AttemptError, shownToCaller } from './failure.ts'
import { firstAnswer, type AnswerPorts, type Asking, type Turn } from './first-answer.ts'
import { greatestCost } from './greatest-cost.ts'
import { reserveMore } from './reserve.ts'
import { mayRetry } from './retry.ts'
import { expectedCost } from './strict-hold.ts'

/** No channel serves the model, or none such calls of it. */
const UNSERVED = new Set<ErrorCode>(['model.missing', 'model.no_channel', 'channel.wrong_operation'])

/** More are ignored: each may take as many attempts as the model asked for. */
const MAX_FALLBACKS = 5

/** The token's own list where it has one, else the group's; without the model itself. */
export function fallbackModels(
  model: string,
  group: string,
  token: Pick<Token, 'fallback_models'> | null,
  { FallbackModels }: Pick<Settings, 'FallbackModels'>,
): string[] {
  const own = token && token.fallback_models !== '' ? listOf(token.fallback_models) : []
  if (own.length > 0) return own.filter((name) => name !== model).slice(0, MAX_FALLBACKS)
  const models = Object.hasOwn(FallbackModels, group) ? FallbackModels[group] : undefined
  const names = models && Object.hasOwn(models, model) ? (models[model] ?? []) : []
  return names.filter((name) => name !== model).slice(0, MAX_FALLBACKS)
}

/** What a call's turns are made of. */
interface Staging {
  head: RequestHead
  /** Models to fall back on; asked for only when one is needed. */
  fallbacks(): readonly string[]
  /** @throws GatewayError what refuses a model */
  admit(head: RequestHead): Admission
}

/**
 * The turns of a call, one at a time: the model asked for, then its fallbacks. A fallback that this caller may not use,
 * that no channel serves or that has no price is passed over.
 */
export class Turns {
  private readonly staging: Staging
  private left: string[] | undefined

  constructor(staging: Staging) {
    this.staging = staging
  }

  /** @throws GatewayError what refuses the model asked for, where no fallback helps */
  first(): Turn {
    const { head, admit } = this.staging
    try {
      return { head, admission: admit(head) }
    } catch (refusal) {
      // Any other refusal is about the caller, and holds for every model.
      const turn = refusal instanceof GatewayError && UNSERVED.has(refusal.code) ? this.next() : undefined
      if (turn) return turn
      throw refusal
    }
  }

  /** Undefined when there is none left. */
  next(): Turn | undefined {
    const { head, admit, fallbacks } = this.staging
    this.left ??= [...fallbacks()]
    for (let model = this.left.shift(); model !== undefined; model = this.left.shift()) {
      try {
        const turn = { ...head, model }
        return { head: turn, admission: admit(turn) }
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
      }
    }
    return undefined
  }
}

interface Serving extends Asking {
  /** The model asked for. */
  asked: string
  first: Turn
  /** What comes behind the first. */
  turns: Turns
  books: Books
  hold: Hold
}

/**
 * The first answer of the model asked for, or of the first fallback that gives one.
 * @throws AttemptError as the caller may read it: why the model asked for did not answer
 */
export async function answerOf(
  ports: AnswerPorts & { ledger: CallLedger },
  serving: Serving,
): Promise<{ answer: Answer; model: string }> {
  const { call, asked, first, turns, books, hold, outcome, settings } = serving
  let failed: unknown
  let last: unknown
  let held = hold.amount
  for (let turn: Turn | undefined = first; turn;) {
    if (turn.head.model !== asked) outcome.fallback_from = asked
    try {
      return { answer: await firstAnswer(ports, serving, turn), model: turn.head.model }
    } catch (error) {
      if (call.signal.aborted || !(error instanceof AttemptError || error instanceof GatewayError)) throw error
      failed ??= error
      last = error
      if (!isEndOfChannels(error, outcome.channel_type)) break
    }
    const extra = await affordable(ports.ledger, call, turns, held, settings)
    turn = extra?.turn
    if (!extra) break
    held += extra.hold?.amount ?? 0
    books.serve(extra.turn, extra.hold)
  }
  if (failed instanceof AttemptError) outcome.failure = failed.failure
  if (!(failed instanceof AttemptError)) throw failed
  // What was used counts where nothing else was tried.
  throw new AttemptError(shownToCaller(failed.failure), failed, last === failed ? failed.usage : undefined)
}

/** Have all channels of one model been tried, so that another model may do better? */
const isEndOfChannels = (error: AttemptError | GatewayError, channelType = 0): boolean =>
  error instanceof GatewayError ? UNSERVED.has(error.code) : mayRetry(error.failure, channelType)

/** The next turn that the caller can pay: what it is dearer than what is held already is held beside it. */
async function affordable(
  ledger: CallLedger,
  call: Call,
  turns: Turns,
  held: number,
  settings: Settings,
): Promise<{ turn: Turn; hold?: Hold } | undefined> {
  for (;;) {
    const turn = turns.next()
    if (!turn) return undefined
    const { head, admission } = turn
    const { quota, free } = expectedCost(call, head, admission, settings)
    if (free || (quota <= held && held > 0)) return { turn }
    const greatest = () => greatestCost(call, head, admission, settings)
    try {
      return { turn, hold: await reserveMore(ledger, call.caller, quota, held, greatest) }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
    }
  }
}

/** Header values are plain ASCII; what a model's name has beyond it is percent-encoded. */
const plain = (text: string) => text.replace(/[^\x21-\x7e]/gu, encodeURIComponent)

/** Tells in an answer's head which model gave it, when it was not the one asked for. */
export function addFallback(headers: Record<string, string>, asked: string, served: string): void {
  if (asked === served) return
  headers['x-weir-model'] = plain(served)
  headers['x-weir-fallback'] = plain(asked)
}
