// Counts a call's tokens where the provider reported none: prompt and answer, as its model would count them.
import type { ContentPart, Message, ModelRequest } from '../dialects/model-request.ts'
import type { ModelEvent } from '../dialects/model-event.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { RequestHead } from '../dialects/head.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { encodingOf } from '../pricing/encoding.ts'
import { imageSize } from '../pricing/image-size.ts'
import { imageTokens } from '../pricing/image-tokens.ts'
import type { Call } from './call.ts'

/** Fixed figures, in tokens (docs/billing.md, 12.2). */
const PER_MESSAGE = 3
const PER_NAME = 1
const PER_TOOL = 8
const PRIMER = 3
const AUDIO = 100
const FILE = 5000
const PER_TOOL_CALL = 7
/** What a picture that is only pointed at is taken for: nothing is downloaded to be counted. Pixels. */
const UNSEEN = { width: 1024, height: 1024 }
/** Enough of a picture's base64 to find its size. Characters. */
const PICTURE_HEAD = 64 * 1024

/** Texts to be cut, and tokens known without. */
interface Tally {
  texts: string[]
  fixed: number
}

/** Tokens of a chat request's prompt for a model, at least 1. */
export async function countPrompt(request: ModelRequest, tokenizer: Tokenizer): Promise<number> {
  const tally: Tally = { texts: [], fixed: PRIMER }
  for (const message of request.messages) addMessage(tally, message, request.model)
  for (const { name, description, parameters } of request.tools ?? []) {
    tally.fixed += PER_TOOL
    tally.texts.push(name, description ?? '', parameters === undefined ? '' : JSON.stringify(parameters))
  }
  return Math.max(1, await total(tally, request.model, tokenizer))
}

/** Tokens of a call's prompt: counted where there is a tokenizer for it, else roughly. */
export async function countCallTokens(
  { inbound, body, place }: Pick<Call, 'inbound' | 'body' | 'place'>,
  { prompt_estimate }: Pick<RequestHead, 'prompt_estimate'>,
  tokenizer: Tokenizer | undefined,
): Promise<number> {
  if (inbound.operation !== 'chat' || !tokenizer) return prompt_estimate
  return countPrompt(inbound.readRequest(body, place), tokenizer)
}

/** Tokens of texts that are no conversation, at least 1. */
export const countTexts = async (texts: string[], model: string, tokenizer: Tokenizer): Promise<number> =>
  Math.max(1, await total({ texts, fixed: 0 }, model, tokenizer))

/** Tokens of a whole answer of that dialect. */
export async function countAnswer(
  dialect: Dialect,
  body: Uint8Array,
  model: string,
  tokenizer: Tokenizer,
): Promise<number> {
  const tally: Tally = { texts: [], fixed: 0 }
  for (const event of dialect.readReply(body)) addEvent(tally, event)
  return total(tally, model, tokenizer)
}

const total = async ({ texts, fixed }: Tally, model: string, tokenizer: Tokenizer): Promise<number> => {
  const said = texts.filter((text) => text !== '')
  return fixed + (said.length === 0 ? 0 : await tokenizer.count(said, encodingOf(model)))
}

function addMessage(tally: Tally, message: Message, model: string): void {
  // The one model of its kind counts a message's frame and its name differently.
  const first = model === 'gpt-3.5-turbo-0301'
  tally.fixed += first ? PER_MESSAGE + 1 : PER_MESSAGE
  tally.texts.push(message.role, ...(message.reasoning ?? []).map(({ text }) => text))
  if (message.name) {
    tally.fixed += first ? -PER_NAME : PER_NAME
    tally.texts.push(message.name)
  }
  for (const part of message.content) addPart(tally, part, model)
  for (const call of message.tool_calls ?? []) tally.texts.push(call.name, call.arguments)
}

function addPart(tally: Tally, part: ContentPart, model: string): void {
  if (part.type === 'text') tally.texts.push(part.text)
  else if (part.type === 'audio') tally.fixed += AUDIO
  else if (part.type === 'file') tally.fixed += FILE
  else tally.fixed += imageTokens(model, sizeOf(part.url), part.detail)
}

const sizeOf = (url: string) => {
  const data = /^data:image\/[\w.+-]+;base64,/.exec(url.slice(0, 100))
  if (!data) return UNSEEN
  try {
    const head = url.slice(data[0].length, data[0].length + PICTURE_HEAD)
    return imageSize(Uint8Array.from(atob(head), (letter) => letter.charCodeAt(0))) ?? UNSEEN
  } catch {
    return UNSEEN
  }
}

function addEvent(tally: Tally, event: ModelEvent): void {
  if (event.type === 'tool_call') {
    tally.fixed += PER_TOOL_CALL
    tally.texts.push(event.name ?? '', event.arguments)
  } else if ('text' in event) tally.texts.push(event.text)
}
