// Converts one item of a Responses answer to events.
import type { FinishReason, ModelEvent } from '../answers/model-event.ts'
import { asList, getMember, asObject, asText, type JsonObject } from '../json/json-value.ts'
import { addTextLogprobs } from '../answers/logprobs.ts'
import { parseTextRange } from '../openai-chat/events.ts'
import { readLogProbabilities } from '../openai-chat/logprobs.ts'
import { readReasoning } from './extras.ts'

/** Index of the answer: this format has only one. */
export const CHOICE_INDEX = 0

/**
 * Returns the events of a whole item; `call` is its index among the tool calls, `letters` the length of the text before
 * it.
 */
export function readItemEvents(item: JsonObject, call: number, letters: number): ModelEvent[] {
  switch (item.type) {
    case 'message':
      return messageEvents(asList(item.content) ?? [], letters)
    case 'reasoning': {
      const thought = readReasoning(item)
      return thought.text || thought.signature ? [{ type: 'reasoning', ...thought, choice: CHOICE_INDEX }] : []
    }
    case 'function_call':
    case 'custom_tool_call':
      return [{ ...startToolCall(item, call), arguments: getItemArguments(item) }]
    case 'image_generation_call':
      return imageEvents(item)
    case 'web_search_call':
      return searchEvents(asObject(item.action) ?? {})
    default:
      return []
  }
}

/** Returns a search event; opening a page or searching in one is none. Pages are included if requested (`SOURCES`). */
function searchEvents({ type = 'search', query, queries, sources }: JsonObject): ModelEvent[] {
  if (type !== 'search') return []
  const queryText = asText(query) ?? asText(asList(queries)?.[0])
  const pages = (asList(sources) ?? []).flatMap((source) => {
    const url = asText(getMember(source, 'url'))
    return url ? [{ url }] : []
  })
  return [{ type: 'search', ...(queryText ? { query: queryText } : {}), pages, choice: CHOICE_INDEX }]
}

function messageEvents(parts: readonly unknown[], lettersBefore: number): ModelEvent[] {
  let letters = lettersBefore
  return parts.flatMap((part) => {
    const events = partEvents(asObject(part) ?? {}, letters)
    letters += getTextLength(events)
    return events
  })
}

export const getTextLength = (events: readonly ModelEvent[]): number =>
  events.reduce((sum, event) => (event.type === 'text' ? sum + event.text.length : sum), 0)

function partEvents(part: JsonObject, letters: number): ModelEvent[] {
  const text = asText(part.text)
  const logprobs = readLogProbabilities(part.logprobs)
  const refusal = asText(part.refusal)
  return [
    ...addTextLogprobs(text ? [{ type: 'text', text, choice: CHOICE_INDEX }] : [], logprobs, CHOICE_INDEX),
    ...(refusal ? [{ type: 'refusal' as const, text: refusal, choice: CHOICE_INDEX }] : []),
    ...(asList(part.annotations) ?? []).flatMap((annotation) => readCitationEvents(annotation, letters)),
  ]
}

/** Returns the citation of a part with so many characters of text before it. */
export function readCitationEvents(annotation: unknown, letters: number): ModelEvent[] {
  const url = asText(getMember(annotation, 'url'))
  const title = asText(getMember(annotation, 'title'))
  return url
    ? [
        {
          type: 'citation',
          url,
          ...(title ? { title } : {}),
          choice: CHOICE_INDEX,
          ...parseTextRange(annotation, letters),
        },
      ]
    : []
}

export const isToolCallItem = ({ type }: JsonObject): boolean => type === 'function_call' || type === 'custom_tool_call'

/** Returns the start of a call: its id and name, without its arguments. */
export function startToolCall(item: JsonObject, index: number): Extract<ModelEvent, { type: 'tool_call' }> {
  return {
    type: 'tool_call',
    index,
    choice: CHOICE_INDEX,
    id: asText(item.call_id) ?? asText(item.id) ?? '',
    name: asText(item.name) ?? '',
    arguments: '',
    ...(item.type === 'custom_tool_call' ? { freeform: true } : {}),
  }
}

export const getItemArguments = (item: JsonObject): string => asText(item.arguments) ?? asText(item.input) ?? ''

function imageEvents({ result, output_format }: JsonObject): ModelEvent[] {
  const data = asText(result)
  if (!data) return []
  const url = /^https?:/.test(data) ? data : `data:image/${asText(output_format) ?? 'png'};base64,${data}`
  return [{ type: 'image', url, choice: CHOICE_INDEX }]
}

/** Returns the finish reason of an answer. */
export function parseFinish(response: JsonObject, called: boolean): FinishReason {
  const reason = getMember(response.incomplete_details, 'reason')
  if (reason === 'content_filter') return 'content_filter'
  if (response.status === 'incomplete') return 'length'
  return called ? 'tool_calls' : 'stop'
}
