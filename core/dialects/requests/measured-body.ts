// Reads long bodies for heads, which measure long texts and know the tools of agents: neither is parsed.
import { fail } from '../../errors.ts'
import { keepMembers, type ObjectBytes } from '../json/json-bytes.ts'
import { findExcess, type JsonSkipper } from '../json/json-cost.ts'
import { LongTextScanner, putMarks, readMark, readWithMarks } from '../json/long-texts.ts'
import { asObject, decodeUtf8Text, parseJson, type JsonObject } from '../json/json-value.ts'
import { CALL_JSON_LIMITS, parseRequestBody, parseWhole, refuseExcess } from './request-body.ts'
import { decodeLatin1, isAscii, isSameAt } from '../json/json-text.ts'

// The tools of recent requests. An agent sends the same tools with every turn, so a list of tools with the same bytes as one
// before is neither scanned nor parsed again.

interface KnownTools {
  bytes: Uint8Array
  tools: readonly unknown[]
  /** The cost of parsing them, as `findExcess` counts it. */
  cost: number
  /** Is each letter written as itself, and ASCII? */
  plain: boolean
}

/** A list of tools in a body that was known before. */
interface FoundTools extends Omit<KnownTools, 'bytes'> {
  /** Their place in the body; end exclusive. */
  start: number
  end: number
}

/** Together with what is parsed of them, at most some 12 MB. */
const MOST_LISTS = 16
/** Shorter lists are parsed as fast. */
const SHORTEST_BYTES = 2048
const LONGEST_BYTES = 128 * 1024

/** The last lists, newest last. */
let lists: KnownTools[] = []
/** For each list: the sum of an estimate over its tools. */
const sums = new WeakMap<readonly unknown[], Map<(tool: unknown) => number, number>>()

/** Finds the known list that starts at this index. */
function findKnownTools(json: Uint8Array, start: number): FoundTools | undefined {
  for (let at = lists.length - 1; at >= 0; at--) {
    const known = lists[at]!
    if (!isSameAt(json, start, known.bytes)) continue
    if (at < lists.length - 1) lists = [...lists.toSpliced(at, 1), known]
    return { ...known, start, end: start + known.bytes.length }
  }
  return undefined
}

/** Keeps the tools in a range of a body, whose bytes are copied. No one may change the tools afterwards. */
function keepTools(
  json: Uint8Array,
  { start, end, cost }: { start: number; end: number; cost: number },
  tools: readonly unknown[],
): void {
  if (end - start < SHORTEST_BYTES || end - start > LONGEST_BYTES) return
  const bytes = json.slice(start, end)
  const text = decodeLatin1(bytes)
  const known = { bytes, tools, cost, plain: isAscii(text) && !text.includes('\\u') }
  lists = [...lists.slice(1 - MOST_LISTS), known]
  sums.set(tools, new Map())
}

/** Adds up an estimate over tools. The sum of a known list is computed once. */
export function sumTools(tools: readonly unknown[], estimate: (tool: unknown) => number): number {
  const known = sums.get(tools)
  const sum = known?.get(estimate) ?? tools.reduce<number>((before, tool) => before + estimate(tool), 0)
  known?.set(estimate, sum)
  return sum
}

/** Long bodies of which every byte is ASCII, and in which no character is escaped by its number. */
const plainBodies = new WeakSet<Uint8Array>()

/** Is every letter in the texts of the body written as itself? False also if that is not known. */
export const isPlainBody = (body: Uint8Array): boolean => plainBodies.has(body)

/** Shorter bodies are parsed as a whole. Unit: bytes. */
const LONG_BODY = 8192

/**
 * Parses a caller's body for a reader that only measures long texts: marks replace them (`getMarkedLength`,
 * `getTextStart`). Everything else is as `parseRequestBody` returns it, and must not be changed.
 * @param within the top-level members whose long texts are only measured
 * @throws GatewayError request.unreadable, request.too_deep, request.too_many_values
 */
export function readMeasuredBody<T>(body: Uint8Array, within: readonly string[], read: (request: JsonObject) => T): T {
  if (body.length < LONG_BODY) return read(parseRequestBody(body))
  const object: ObjectBytes = { start: -1, close: -1, members: [] }
  const parts = new BodyParts(body, within)
  refuseExcess(findExcess(body, CALL_JSON_LIMITS, object, parts), CALL_JSON_LIMITS)
  const { texts, hasOtherMarks } = parts.scanner
  if (hasOtherMarks) return read(parseWhole(body, object))
  const marked = [...texts, ...parts.known]
  const shortened = putMarks(body, marked)
  const text = decodeUtf8Text(shortened)
  const request = asObject(text === undefined ? undefined : parseJson(text)) ?? fail('request.unreadable')
  const mark = readMark(request.tools)
  const known = mark === undefined ? undefined : parts.known[mark - texts.length]
  if (known) request.tools = known.tools
  else if (Array.isArray(request.tools) && parts.tools) keepTools(body, parts.tools, request.tools)
  if (object.close >= 0) keepMembers(body, object)
  const isPlain = text?.length === shortened.length && !text.includes('\\u') && parts.known.every(({ plain }) => plain)
  if (isPlain) plainBodies.add(body)
  return readWithMarks(body, texts, () => read(request))
}

/** The parts of one body that are not parsed. */
class BodyParts implements JsonSkipper {
  readonly scanner: LongTextScanner
  readonly known: FoundTools[] = []
  /** Tools that were not known. */
  tools: { start: number; end: number; cost: number } | undefined
  private readonly json: Uint8Array
  private readonly within: readonly string[]
  private isMeasured = false
  private toolsStart: number | undefined

  constructor(json: Uint8Array, within: readonly string[]) {
    this.json = json
    this.scanner = new LongTextScanner(json)
    this.within = within
  }

  enterMember(key: string, start: number): FoundTools | undefined {
    this.isMeasured = this.within.includes(key)
    this.toolsStart = key === 'tools' ? start : undefined
    const known = key === 'tools' ? findKnownTools(this.json, start) : undefined
    if (!known) return undefined
    this.toolsStart = undefined
    this.known.push(known)
    return known
  }

  leaveMember(end: number, cost: number): void {
    if (this.toolsStart !== undefined) this.tools = { start: this.toolsStart, end, cost }
  }

  skipString(start: number): number {
    return this.scanner.skip(start, this.isMeasured)
  }
}
