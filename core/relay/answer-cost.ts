// The cost of an answer under way: writes the charge into the answer, where the site or the caller wants it, and limits a
// stream that is held in steps.
import type { CallRecord } from '../calls/call-record.ts'
import { createFrameSplitter, encodeFrame, type OutputPiece, readEventFrame } from '../dialects/answers/frames.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import { changeTopMembers, isObjectAt, joinByteArrays, scanObjectMembers } from '../dialects/json/json-bytes.ts'
import { asObject, parseJsonBytes } from '../dialects/json/json-value.ts'
import { decodeLatin1 } from '../dialects/json/json-text.ts'
import { buildKnownUsage } from '../dialects/passing.ts'
import { GatewayError } from '../errors.ts'
import type { Settings } from '../settings/index.ts'
import type { Call, Head } from './call.ts'
import { type CallHolds, estimateUsageCost, HOLD_STEP_TOKENS } from './holds.ts'
import type { OutputEstimate } from './measure.ts'
import type { ModelCandidate } from './model-candidates.ts'

/** The charge of a call, its terms and its usage. */
export type CallCharge = Pick<CallRecord, 'charge' | 'terms' | 'usage'>

/** True if the site or the caller wants the cost in the usage of the answer. */
export const isCostRequested = ({ asks_cost }: Pick<Call, 'asks_cost'>, settings: Settings): boolean =>
  asks_cost === true || settings['relay.usage_cost']

/** The smallest number that `String` writes without an exponent, and the digits used below it. */
const SMALLEST_PLAIN = 1e-6
const DIGITS = 12

/** US dollars as a JSON number without an exponent. */
function formatDollars({ charge, terms }: CallCharge): string {
  const amount = charge.quota / terms.quota_per_unit
  return amount >= SMALLEST_PLAIN || amount === 0 ? String(amount) : amount.toFixed(DIGITS).replace(/\.?0+$/, '')
}

/** Adds the charge to the head of an answer: in quota units, and in US dollars. */
export function addChargeToHead(head: Head, charged: CallCharge): Head {
  head.headers['x-weir-charge'] = String(charged.charge.quota)
  head.headers['x-weir-cost'] = formatDollars(charged)
  return head
}

/** The places of the usage in each format: in a whole answer, or in the data of an event. */
const USAGE_PLACES: readonly (readonly string[])[] = [
  ['usage'],
  ['response', 'usage'],
  ['message', 'usage'],
  ['usageMetadata'],
]

const USAGE = /"usage(?:Metadata)?"\s*:\s*\{/

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Returns the whole answer with `cost` (US dollars) in its usage; the same bytes if it has none. */
export function addCostToBody(body: Uint8Array, charged: CallCharge): Uint8Array {
  return addCost(body, charged) ?? body
}

/** Returns the last pieces of a stream with `cost` (US dollars) in the last usage among them. */
export function addCostToChunks(pieces: readonly OutputPiece[], charged: CallCharge): OutputPiece[] {
  const frames = pieces.flatMap((piece): OutputPiece[] => (piece instanceof Uint8Array ? splitFrames(piece) : [piece]))
  for (let at = frames.length - 1; at >= 0; at--) {
    const piece = frames[at]!
    const frame = piece instanceof Uint8Array ? readEventFrame(piece) : piece
    const data = frame && addCost(encoder.encode(frame.data), charged)
    if (!frame || !data) continue
    const changed = { ...frame, data: decoder.decode(data) }
    frames[at] = piece instanceof Uint8Array ? encodeFrame(changed) : changed
    break
  }
  return frames
}

/** Splits a run of whole frames. */
function splitFrames(run: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = []
  const splitter = createFrameSplitter()
  splitter.push(run, (bytes, start, end) => void frames.push(bytes.slice(start, end)))
  const rest = splitter.rest()
  return rest.length > 0 ? [...frames, rest] : frames
}

function addCost(json: Uint8Array, charged: CallCharge): Uint8Array | undefined {
  // A transcript is plain text and may begin with any letters.
  if (!asObject(parseJsonBytes(json))) return undefined
  for (const place of USAGE_PLACES) {
    const changed = addCostAt(json, place, formatDollars(charged))
    if (changed) return changed
  }
  return undefined
}

function addCostAt(json: Uint8Array, [key, ...inner]: readonly string[], cost: string): Uint8Array | undefined {
  if (key === undefined) return changeTopMembers(json, new Map([['cost', encoder.encode(cost)]]))
  const object = scanObjectMembers(json)
  const member = object.members.findLast((one) => one.key === key)
  if (!member || !isObjectAt(json, member.start)) return undefined
  const changed = addCostAt(json.slice(member.start, member.end), inner, cost)
  return changed && joinByteArrays([json.subarray(0, member.start), changed, json.subarray(member.end)])
}

/** Holds back the pieces with the last usage so far, until the call is charged. */
export class UsageKeeper {
  private held: readonly OutputPiece[] = []

  /** @returns the pieces that may leave now */
  take(pieces: readonly OutputPiece[]): readonly OutputPiece[] {
    if (pieces.length === 0) return pieces
    const before = this.held
    const hasUsage = pieces.some((piece) => USAGE.test(piece instanceof Uint8Array ? decodeLatin1(piece) : piece.data))
    this.held = hasUsage ? pieces : []
    return hasUsage ? before : [...before, ...pieces]
  }

  /** Returns the pieces that are still held, and releases them. */
  rest(): readonly OutputPiece[] {
    const { held } = this
    this.held = []
    return held
  }
}

// Limits a stream that is held in steps: each step is paid before it is forwarded.

const LF = 10

/** Returns the cost of an answer with this output so far, in quota units. `usage` is the report so far. */
export function computeCostSoFar(
  call: Call,
  { head, admission }: ModelCandidate,
  usage: Usage | undefined,
  output: OutputEstimate,
  settings: Settings,
) {
  const input = Math.max(usage?.input ?? 0, head.prompt_estimate)
  return estimateUsageCost(
    call,
    admission,
    settings,
    buildKnownUsage({ ...usage, input, ...output, source: 'estimated' }),
  )
}

/** The paid part of a stream that is held in steps. */
export class StreamBudget {
  private tokens = HOLD_STEP_TOKENS
  private readonly holds: CallHolds
  private readonly getCost: (output: OutputEstimate) => number
  /** The refusal of the next step. */
  refusal: GatewayError | undefined

  /** @param getCost returns quota units */
  constructor(holds: CallHolds, getCost: (output: OutputEstimate) => number) {
    this.holds = holds
    this.getCost = getCost
  }

  /** Returns true if the stream may continue after this output. Holds the next step if necessary. */
  covers(output: OutputEstimate): boolean | Promise<boolean> {
    return output.output < this.tokens || this.grow(output)
  }

  private async grow({ output, audio_out = 0 }: OutputEstimate): Promise<boolean> {
    try {
      await this.holds.raise(
        this.getCost({
          output: output + HOLD_STEP_TOKENS,
          audio_out: audio_out > 0 ? audio_out + HOLD_STEP_TOKENS : 0,
        }),
      )
      this.tokens = output + HOLD_STEP_TOKENS
      return true
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      this.refusal = error
      return false
    }
  }
}

/** Splits a run into lines with their ends, so that each contains at most one event. */
export function* splitIntoLines(run: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < run.length;) {
    const end = run.indexOf(LF, from)
    const to = end < 0 ? run.length : end + 1
    yield run.subarray(from, to)
    from = to
  }
}
