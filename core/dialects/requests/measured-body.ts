// Reads long bodies for heads, which measure long texts and know the tools of agents: neither is parsed.
import { fail } from '../../errors.ts'
import { keepMembers, type ObjectBytes } from '../json/json-bytes.ts'
import { findExcess, type JsonSkipper } from '../json/json-cost.ts'
import { LongTextScanner, putMarks, readMark, readWithMarks } from '../json/long-texts.ts'
import { asObject, decodeUtf8Text, parseJson, type JsonObject } from '../json/json-value.ts'
import { findKnownTools, type FoundTools, keepTools } from './known-tools.ts'
import { CALL_JSON_LIMITS, parseRequestBody, parseWhole, refuseExcess } from './request-body.ts'

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
  const known = parts.known[(readMark(request.tools) ?? -1) - texts.length]
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
  private toolsStart = -1

  constructor(json: Uint8Array, within: readonly string[]) {
    this.json = json
    this.scanner = new LongTextScanner(json)
    this.within = within
  }

  enterMember(key: string, start: number): FoundTools | undefined {
    this.isMeasured = this.within.includes(key)
    this.toolsStart = key === 'tools' ? start : -1
    const known = key === 'tools' ? findKnownTools(this.json, start) : undefined
    if (!known) return undefined
    this.toolsStart = -1
    this.known.push(known)
    return known
  }

  leaveMember(end: number, cost: number): void {
    if (this.toolsStart >= 0) this.tools = { start: this.toolsStart, end, cost }
  }

  skipString(start: number): number {
    return this.scanner.skip(start, this.isMeasured)
  }
}
