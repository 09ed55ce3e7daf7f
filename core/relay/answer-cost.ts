// Writes the charge of a call into its answer: into the head of a whole answer, and into the last usage if the site or the
// caller wants it there.
import type { CallRecord } from '../calls/call-record.ts'
import { createSplitter, encodeFrame, type OutputPiece, readEventFrame } from '../dialects/answers/frames.ts'
import { changeTopMembers, isObjectAt, joinByteArrays, scanObjectMembers } from '../dialects/json/json-bytes.ts'
import { asObject, parseJsonBytes } from '../dialects/json/json-value.ts'
import { decodeLatin1 } from '../dialects/json/latin1.ts'
import type { Settings } from '../settings/index.ts'
import type { Call, Head } from './call.ts'

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
export function addCostToPieces(pieces: readonly OutputPiece[], charged: CallCharge): OutputPiece[] {
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
  const splitter = createSplitter()
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
