// A conversation's turns, to neutral messages.
import { fail } from '../../errors.ts'
import type { ContentPart, Message, Reasoning, ToolCall } from '../dialect.ts'
import { listIn, objectIn, textIn, withoutUndefined, type JsonObject } from '../json-value.ts'
import { readAnswer, readCall, signatureIn } from './call.ts'
import { field } from './fields.ts'
import { contentsIn, partsIn } from './head.ts'
import { readMedia } from './media.ts'

/** The system's words and the turns. @throws GatewayError request.invalid */
export function readMessages(request: JsonObject): Message[] {
  const system = partsIn(field(request, 'systemInstruction')).flatMap((part) => readContent(part) ?? [])
  const calls = createCallIds()
  const turns = contentsIn(request).flatMap((content) => {
    const parts = partsIn(content)
    return field(content, 'role') === 'model' ? [readModelTurn(parts, calls)] : readUserTurn(parts, calls)
  })
  return system.length > 0 ? [{ role: 'system', content: system }, ...turns] : turns
}

/** Google's calls may be without ids: then an answer belongs to the first open call of its name. */
function createCallIds() {
  const open: { id: string; name: string }[] = []
  let calls = 0
  return {
    next: (): string => `call_${calls++}`,
    opened({ id, name }: ToolCall): void {
      open.push({ id, name })
    },
    answered(id: string | undefined, name: string): string {
      const at = open.findIndex((call) => (id === undefined ? call.name === name : call.id === id))
      const [found] = at < 0 ? [] : open.splice(at, 1)
      return found?.id ?? id ?? name
    },
  }
}

type CallIds = ReturnType<typeof createCallIds>

function readModelTurn(parts: unknown[], ids: CallIds): Message {
  const content: ContentPart[] = []
  const reasoning: Reasoning[] = []
  const tool_calls: ToolCall[] = []
  for (const part of parts) {
    const call = readCall(part, ids.next)
    if (call) {
      ids.opened(call)
      tool_calls.push(call)
      continue
    }
    const text = textIn(field(part, 'text')) ?? ''
    const signature = signatureIn(part)
    if (field(part, 'thought') === true) {
      think(reasoning, text, signature)
      continue
    }
    const said = readContent(part)
    if (said) content.push(said)
    if (signature) think(reasoning, '', signature)
  }
  return withoutUndefined({
    role: 'assistant',
    content,
    tool_calls: tool_calls.length > 0 ? tool_calls : undefined,
    reasoning: reasoning.length > 0 ? reasoning : undefined,
  })
}

/** A thought may come in pieces: it is over once it is signed. A signature beside plain text is of the thought before. */
function think(reasoning: Reasoning[], text: string, signature: string | undefined): void {
  const last = reasoning.at(-1)
  if (last && last.signature === undefined) Object.assign(last, withoutUndefined({ text: last.text + text, signature }))
  else if (text || signature) reasoning.push(withoutUndefined({ text, signature }))
}

/** What functions answered comes before what the user says beside it. */
function readUserTurn(parts: unknown[], ids: CallIds): Message[] {
  const answers: Message[] = []
  const content: ContentPart[] = []
  for (const part of parts) {
    const response = objectIn(field(part, 'functionResponse'))
    const said = response ? undefined : readContent(part)
    if (response) answers.push(readResponse(response, ids))
    else if (said) content.push(said)
  }
  return content.length > 0 ? [...answers, { role: 'user', content }] : answers
}

function readResponse(response: JsonObject, ids: CallIds): Message {
  const name = textIn(response.name) ?? ''
  const { text, failed } = readAnswer(response.response, name)
  const media = (listIn(response.parts) ?? []).flatMap((part) => readMedia(part) ?? [])
  return withoutUndefined({
    role: 'tool',
    content: [{ type: 'text', text }, ...media],
    name: name || undefined,
    tool_call_id: ids.answered(textIn(response.id), name),
    failed,
  })
}

/** Parts that only Google itself understands: its own tools' calls in a history. */
const foreign = ['toolCall', 'toolResponse', 'thoughtSignature', 'videoMetadata', 'partMetadata']

/** Names of what such parts lose in another format. */
export const lostIn = (request: JsonObject): string[] => {
  const parts = contentsIn(request).flatMap(partsIn)
  return ['toolCall', 'toolResponse', 'videoMetadata'].filter((name) =>
    parts.some((part) => field(part, name) !== undefined),
  )
}

function readContent(part: unknown): ContentPart | undefined {
  const text = field(part, 'text')
  if (typeof text === 'string') return text === '' ? undefined : { type: 'text', text }
  const said = readMedia(part) ?? readCode(part)
  if (said) return said
  if (foreign.some((name) => field(part, name) !== undefined)) return undefined
  return fail('request.invalid', {
    reason: `unknown part ${Object.keys(objectIn(part) ?? {})
      .join()
      .slice(0, 40)}`,
  })
}

const readCode = (part: unknown): ContentPart | undefined => {
  const text = codeText(part)
  return text === undefined ? undefined : { type: 'text', text }
}

/** Code that Google ran, or what came of it, as text. */
export function codeText(part: unknown): string | undefined {
  const code = objectIn(field(part, 'executableCode'))
  const result = objectIn(field(part, 'codeExecutionResult'))
  if (code) return fenced((textIn(code.language) ?? '').toLowerCase(), textIn(code.code) ?? '')
  return result && fenced('', textIn(result.output) ?? '')
}

const fenced = (language: string, text: string): string => `\n\`\`\`${language}\n${text.replace(/\n$/, '')}\n\`\`\`\n`
