// Converts neutral messages to a conversation's turns. Neighbors of one side become one turn.
import type { ContentPart, Message, ModelRequest, ReasoningPiece, ToolCall } from '../model-request.ts'
import { omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import { writeFunctionResult, writeFunctionCall } from './call.ts'
import { writeMediaPart } from './media.ts'
import { placeSystemTurns, CONVERTED_SYSTEM_MESSAGES } from '../requests/system-turns.ts'
import { SIGNATURE_PLACEHOLDER } from './signature.ts'

type Drop = (field: string) => void
type WrittenTurn = { role: 'user' | 'model'; parts: JsonObject[] }

const SIGNING = /^gemini-(?:[3-9]|\d\d|flash-latest|pro-latest|flash-lite-latest)/

/** Does the model sign calls? From the third generation on; such models also accept images in tool results. */
export const signsToolCalls = (model: string): boolean => SIGNING.test(model)

/** Writes the system prompt before the first turn, and the turns. */
export function writeContentTurns({ messages: given, model }: ModelRequest, drop: Drop) {
  const { messages, isConverted } = placeSystemTurns(given, false)
  if (isConverted) drop(CONVERTED_SYSTEM_MESSAGES)
  const system = messages.filter(({ role }) => role === 'system').flatMap(({ content }) => writeContent(content, drop))
  const names = new Map<string, string>()
  const contents: WrittenTurn[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    for (const { id, name } of message.tool_calls ?? []) names.set(id, name)
    const role = message.role === 'assistant' ? 'model' : 'user'
    const parts = writeMessage(message, names, signsToolCalls(model), drop)
    const last = contents.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else if (parts.length > 0) contents.push({ role, parts })
  }
  // Google requires at least one turn: a system prompt alone becomes the user's.
  if (contents.length === 0) return { contents: [{ role: 'user', parts: system }] }
  return { contents, systemInstruction: system.length > 0 ? { parts: system } : undefined }
}

function writeMessage(message: Message, names: Map<string, string>, signs: boolean, drop: Drop): JsonObject[] {
  if (message.role === 'tool') return writeToolAnswer(message, names, signs, drop)
  if (message.name !== undefined) drop('messages.name')
  const parts = writeContent(message.content, drop)
  if (message.role !== 'assistant') return parts
  const readable = message.reasoning?.filter(({ redacted }) => !redacted) ?? []
  if (readable.length < (message.reasoning?.length ?? 0)) drop('redacted_thinking')
  const { thoughts, calls } = withSignedCall(readable, message.tool_calls ?? [])
  return [
    ...thoughts.filter(({ text }) => text !== '').map(({ text }) => ({ text, thought: true })),
    ...parts,
    // As Google streams them: the signature of reasoning comes with the text after it.
    ...thoughts.flatMap(({ signature }) => (signature ? [{ text: '', thoughtSignature: signature }] : [])),
    ...writeCalls(calls, signs, drop),
  ]
}

/** Formats that do not sign calls have the signature of the first call on the reasoning before it. */
function withSignedCall(
  thoughts: ReasoningPiece[],
  calls: ToolCall[],
): { thoughts: ReasoningPiece[]; calls: ToolCall[] } {
  const [first, ...others] = calls
  const signed = thoughts.findLast(({ signature }) => signature)
  if (!first || first.signature || !signed) return { thoughts, calls }
  return {
    thoughts: thoughts.map((thought) => (thought === signed ? { text: thought.text } : thought)),
    calls: [{ ...first, signature: signed.signature }, ...others],
  }
}

/** Writes the calls. Of parallel calls only the first is signed. */
function writeCalls(calls: ToolCall[], signs: boolean, drop: Drop): JsonObject[] {
  return calls.flatMap((call, index) => {
    const signature = call.signature ?? (signs && index === 0 ? SIGNATURE_PLACEHOLDER : undefined)
    const part = writeFunctionCall(omitUndefinedMembers({ ...call, signature }))
    if (!part) drop('tool_calls.arguments')
    return toList(part)
  })
}

function writeToolAnswer(message: Message, names: Map<string, string>, holdsMedia: boolean, drop: Drop): JsonObject[] {
  const { tool_call_id: id, content, failed } = message
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const media = content.flatMap((part) => (part.type === 'text' ? [] : toList(writePart(part, drop))))
  const name = names.get(id ?? '') ?? message.name ?? id ?? ''
  const functionResponse = omitUndefinedMembers({
    id: id || undefined,
    name,
    response: writeFunctionResult(texts.join('\n'), failed, name),
    parts: holdsMedia && media.length > 0 ? media : undefined,
  })
  return holdsMedia ? [{ functionResponse }] : [{ functionResponse }, ...media]
}

const toList = (part: JsonObject | undefined): JsonObject[] => (part ? [part] : [])

const writeContent = (content: readonly ContentPart[], drop: Drop): JsonObject[] =>
  content.flatMap((part): JsonObject[] => toList(writePart(part, drop)))

function writePart(part: ContentPart, drop: Drop): JsonObject | undefined {
  if (part.cache) drop('cache_control')
  if (part.type === 'text') return { text: part.text }
  if (part.type === 'image' && part.detail !== undefined && part.detail !== 'auto') drop('image_url.detail')
  if (part.type === 'file' && part.filename !== undefined) drop('file.filename')
  const written = writeMediaPart(part)
  if (!written) drop('file.file_id')
  return written
}
