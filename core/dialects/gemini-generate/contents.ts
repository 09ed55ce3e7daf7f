// Converts a conversation's turns to neutral messages.
import type { ContentPart, Message, ReasoningPiece, ToolCall } from '../model-request.ts'
import { isForeignSignature } from '../reasoning/reasoning-signature.ts'
import { asList, asObject, asText, omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import { readFunctionResult, readFunctionCall } from './call.ts'
import { getEitherSpelling } from './fields.ts'
import { getContentTurns, getTurnParts } from './head.ts'
import { readMediaPart } from './media.ts'
import { findPartSignature } from './signature.ts'

/** Reads the system prompt and the turns. */
export function readContentTurns(request: JsonObject): Message[] {
  const system = getTurnParts(getEitherSpelling(request, 'systemInstruction')).flatMap(
    (part) => readContent(part) ?? [],
  )
  const calls = createCallIds()
  const turns = getContentTurns(request).flatMap((content) => {
    const parts = getTurnParts(content)
    return getEitherSpelling(content, 'role') === 'model' ? [readModelTurn(parts, calls)] : readUserTurn(parts, calls)
  })
  return system.length > 0 ? [{ role: 'system', content: system }, ...turns] : turns
}

/**
 * Google's calls may lack ids: then a result belongs to the first open call of its name. Google also accepts results
 * with other names (Semantic Kernel writes `a-b` as `a__b`): such a result belongs to the first open call that no other
 * result names.
 */
function createCallIds() {
  const open: { id: string; name: string }[] = []
  let calls = 0
  return {
    next: (): string => `call_${calls++}`,
    opened({ id, name }: ToolCall): void {
      open.push({ id, name })
    },
    /** @param names the names of all results of the turn */
    answered(id: string | undefined, name: string, names: ReadonlySet<string>): string {
      const own = open.findIndex((call) => (id === undefined ? call.name === name : call.id === id))
      const at = own < 0 && id === undefined ? open.findIndex((call) => !names.has(call.name)) : own
      const [found] = at < 0 ? [] : open.splice(at, 1)
      return found?.id ?? id ?? name
    },
  }
}

type CallIds = ReturnType<typeof createCallIds>

function readModelTurn(parts: unknown[], ids: CallIds): Message {
  const content: ContentPart[] = []
  const reasoning: ReasoningPiece[] = []
  const tool_calls: ToolCall[] = []
  for (const part of parts) {
    const signature = findPartSignature(part)
    const call = readFunctionCall(part, ids.next)
    if (call) {
      ids.opened(call)
      // Only Google signs calls. The signature of another vendor belongs to the reasoning before the call.
      if (isForeignSignature(signature)) think(reasoning, '', signature)
      tool_calls.push(isForeignSignature(signature) ? { ...call, signature: undefined } : call)
      continue
    }
    const text = asText(getEitherSpelling(part, 'text')) ?? ''
    if (getEitherSpelling(part, 'thought') === true) {
      think(reasoning, text, signature)
      continue
    }
    const contentPart = readContent(part)
    if (contentPart) content.push(contentPart)
    if (signature) think(reasoning, '', signature)
  }
  return omitUndefinedMembers({
    role: 'assistant',
    content,
    tool_calls: tool_calls.length > 0 ? tool_calls : undefined,
    reasoning: reasoning.length > 0 ? reasoning : undefined,
  })
}

/**
 * Adds reasoning, which may come in pieces and ends when it is signed. A signature on plain text belongs to the
 * reasoning before it.
 */
function think(reasoning: ReasoningPiece[], text: string, signature: string | undefined): void {
  const last = reasoning.at(-1)
  if (last && last.signature === undefined)
    Object.assign(last, omitUndefinedMembers({ text: last.text + text, signature }))
  else if (text || signature) reasoning.push(omitUndefinedMembers({ text, signature }))
}

/** Reads a user turn. Function results come before the user's other content. */
function readUserTurn(parts: unknown[], ids: CallIds): Message[] {
  const answers: Message[] = []
  const content: ContentPart[] = []
  const responses = parts.map((part) => asObject(getEitherSpelling(part, 'functionResponse')))
  const names = new Set(responses.map((response) => asText(response?.name) ?? ''))
  for (const [at, part] of parts.entries()) {
    const response = responses[at]
    const contentPart = response ? undefined : readContent(part)
    if (response) answers.push(readResponse(response, ids, names))
    else if (contentPart) content.push(contentPart)
  }
  return content.length > 0 ? [...answers, { role: 'user', content }] : answers
}

function readResponse(response: JsonObject, ids: CallIds, names: ReadonlySet<string>): Message {
  const name = asText(response.name) ?? ''
  const { text, failed } = readFunctionResult(response.response, name)
  const media = (asList(response.parts) ?? []).flatMap((part) => readMediaPart(part) ?? [])
  return omitUndefinedMembers({
    role: 'tool',
    content: [{ type: 'text', text }, ...media],
    name: name || undefined,
    tool_call_id: ids.answered(asText(response.id), name, names),
    failed,
  })
}

function readContent(part: unknown): ContentPart | undefined {
  const text = getEitherSpelling(part, 'text')
  if (typeof text === 'string') return text === '' ? undefined : { type: 'text', text }
  // Parts that only Google understands are reported by the reader of the whole request.
  return readMediaPart(part) ?? readCode(part)
}

const readCode = (part: unknown): ContentPart | undefined => {
  const text = formatExecutedCode(part)
  return text === undefined ? undefined : { type: 'text', text }
}

/** Returns code that Google ran, or its result, as text. */
export function formatExecutedCode(part: unknown): string | undefined {
  const code = asObject(getEitherSpelling(part, 'executableCode'))
  const result = asObject(getEitherSpelling(part, 'codeExecutionResult'))
  if (code) return fenced((asText(code.language) ?? '').toLowerCase(), asText(code.code) ?? '')
  return result && fenced('', asText(result.output) ?? '')
}

const fenced = (language: string, text: string): string => `\n\`\`\`${language}\n${text.replace(/\n$/, '')}\n\`\`\`\n`
