// Writes a completions answer: choices of text only.
import type { SseFrame } from '../answers/frames.ts'
import type { RequestHead } from '../requests/head.ts'
import type { FinishReason, ModelEvent } from '../answers/model-event.ts'
import type { JsonObject } from '../json/json-value.ts'
import { writeErrorReply, writeErrorFrame } from '../openai-chat/error.ts'
import { STREAM_END_MARK } from '../openai-chat/events.ts'
import { writeUsageMembers } from '../openai-chat/usage.ts'

const encoder = new TextEncoder()

const writeChoice = (index: number, text: string, reason: FinishReason | undefined): JsonObject => ({
  text,
  index,
  logprobs: null,
  // There are no tools here: an answer with a tool call has ended.
  finish_reason: reason === 'tool_calls' ? 'stop' : (reason ?? null),
})

/** Returns a writer of the chunks of one stream. Content other than text is omitted. */
export function createStreamWriter(head: RequestHead): (event: ModelEvent) => SseFrame[] {
  let start = { id: '', model: head.model, created: 0 }
  const chunk = (choices: JsonObject[], more: JsonObject = {}): SseFrame[] => {
    const { id, created, model } = start
    return [{ data: JSON.stringify({ id, object: 'text_completion', created, model, choices, ...more }) }]
  }
  return (event) => {
    switch (event.type) {
      case 'start':
        start = { id: event.id, model: event.model || head.model, created: event.created }
        return []
      case 'text':
      case 'refusal':
        return chunk([writeChoice(event.choice, event.text, undefined)])
      case 'finish':
        return chunk([writeChoice(event.choice, '', event.reason)])
      case 'usage':
        return head.include_usage ? chunk([], writeUsageMembers(event.usage)) : []
      case 'failure':
        return [writeErrorFrame(event.failure)]
      case 'end':
        return [{ data: STREAM_END_MARK }]
      default:
        return []
    }
  }
}

/** Writes a whole answer from events and joins its text fragments. A failure among them makes it an error body. */
export function writeWholeReply(events: ModelEvent[], head?: RequestHead): Uint8Array {
  let start: JsonObject = { id: '', model: '', created: 0 }
  let more: JsonObject = {}
  const choices = new Map<number, { text: string; reason?: FinishReason }>()
  for (const event of events) {
    if (event.type === 'failure') return writeErrorReply(event.failure)
    if (event.type === 'start')
      start = { id: event.id, model: event.model || (head?.model ?? ''), created: event.created }
    else if (event.type === 'usage') more = writeUsageMembers(event.usage)
    else if (event.type === 'text' || event.type === 'refusal' || event.type === 'finish') {
      const choice = choices.get(event.choice) ?? { text: '' }
      choices.set(event.choice, choice)
      if (event.type === 'finish') choice.reason = event.reason
      else choice.text += event.text
    }
  }
  if (choices.size === 0) choices.set(0, { text: '' })
  const written = [...choices]
    .sort(([a], [b]) => a - b)
    .map(([index, { text, reason }]) => writeChoice(index, text, reason))
  return encoder.encode(JSON.stringify({ ...start, object: 'text_completion', choices: written, ...more }))
}
