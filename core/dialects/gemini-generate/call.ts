// Function calls and their results. Arguments and results are objects in this format and texts in the neutral form.
import type { ToolCall } from '../model-request.ts'
import { asObject, parseJson, asText, omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import { getEitherSpelling } from './fields.ts'
import { findPartSignature } from './signature.ts'

/** Reads the call in a part; `id` creates an id if Google sent none. */
export function readFunctionCall(part: unknown, id: () => string): ToolCall | undefined {
  const call = asObject(getEitherSpelling(part, 'functionCall'))
  if (!call) return undefined
  return omitUndefinedMembers({
    id: asText(call.id) ?? id(),
    name: asText(call.name) ?? '',
    arguments: JSON.stringify(asObject(call.args) ?? {}),
    signature: findPartSignature(part),
  })
}

/** Writes a call as a part; undefined if its arguments are not a JSON object, which this format requires. */
export function writeFunctionCall({ id, name, arguments: text, signature }: Partial<ToolCall>): JsonObject | undefined {
  const args = text === undefined || text.trim() === '' ? {} : asObject(parseJson(text))
  if (!args) return undefined
  return omitUndefinedMembers({
    functionCall: omitUndefinedMembers({ id: id || undefined, name: name ?? '', args }),
    thoughtSignature: signature,
  })
}

/** Is this a result as the AI SDK wraps it, with the function's name next to the content? */
const wrapped = (keys: string[], answer: JsonObject, name: string): boolean =>
  keys.length === 2 && 'content' in answer && answer.name === name

/** Returns the text of a function's result, and whether it failed. */
export function readFunctionResult(response: unknown, name: string): { text: string; failed?: true } {
  const answer = asObject(response) ?? {}
  const keys = Object.keys(answer)
  if (wrapped(keys, answer, name)) return { text: toText(answer.content) }
  if (keys.length === 1 && keys[0] === 'output') return { text: toText(answer.output) }
  if (keys.length === 1 && keys[0] === 'error') return { text: toText(answer.error), failed: true }
  return { text: JSON.stringify(answer) }
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Writes a function's result. The exact JSON of an object is written as the object, any other text under Google's own
 * keys.
 */
export function writeFunctionResult(text: string, failed: boolean | undefined, name: string): JsonObject {
  if (failed) return { error: text }
  const object = text.startsWith('{') ? asObject(parseJson(text)) : undefined
  const own =
    object &&
    !('output' in object) &&
    !('error' in object) &&
    !wrapped(Object.keys(object), object, name) &&
    JSON.stringify(object) === text
  return own ? object : { output: text }
}
