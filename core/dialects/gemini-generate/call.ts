// Function calls and what answers them: a call's arguments and an answer are objects here, texts in the neutral form.
import type { ToolCall } from '../model-request.ts'
import { asObject, parsed, asText, withoutUndefined, type JsonObject } from '../json-value.ts'
import { eitherField } from './fields.ts'
import { signatureIn } from './signature.ts'

/** A call in a part; `id` stands in where Google gave none. */
export function readCall(part: unknown, id: () => string): ToolCall | undefined {
  const call = asObject(eitherField(part, 'functionCall'))
  if (!call) return undefined
  return withoutUndefined({
    id: asText(call.id) ?? id(),
    name: asText(call.name) ?? '',
    arguments: JSON.stringify(asObject(call.args) ?? {}),
    signature: signatureIn(part),
  })
}

/** A call as a part; undefined where its arguments are no JSON object, which cannot be said here. */
export function writeCall({ id, name, arguments: text, signature }: Partial<ToolCall>): JsonObject | undefined {
  const args = text === undefined || text.trim() === '' ? {} : asObject(parsed(text))
  if (!args) return undefined
  return withoutUndefined({
    functionCall: withoutUndefined({ id: id || undefined, name: name ?? '', args }),
    thoughtSignature: signature,
  })
}

/** What a function answered as the AI SDK wraps it: beside the function's name. */
const wrapped = (keys: string[], answer: JsonObject, name: string): boolean =>
  keys.length === 2 && 'content' in answer && answer.name === name

/** The text that a function of that name answered, and whether it failed. */
export function readAnswer(response: unknown, name: string): { text: string; failed?: true } {
  const answer = asObject(response) ?? {}
  const keys = Object.keys(answer)
  if (wrapped(keys, answer, name)) return { text: textOf(answer.content) }
  if (keys.length === 1 && keys[0] === 'output') return { text: textOf(answer.output) }
  if (keys.length === 1 && keys[0] === 'error') return { text: textOf(answer.error), failed: true }
  return { text: JSON.stringify(answer) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The other way. A text that is exactly an object's JSON goes as the object; any other under Google's own keys. */
export function writeAnswer(text: string, failed: boolean | undefined, name: string): JsonObject {
  if (failed) return { error: text }
  const object = text.startsWith('{') ? asObject(parsed(text)) : undefined
  const own =
    object &&
    !('output' in object) &&
    !('error' in object) &&
    !wrapped(Object.keys(object), object, name) &&
    JSON.stringify(object) === text
  return own ? object : { output: text }
}
