// Reads the stream of a Responses answer.
import { fail } from '../../errors.ts'
import type { SseFrame } from '../answers/frames.ts'
import type { ModelEvent, FinishReason } from '../answers/model-event.ts'
import { asList, getMember, asFiniteNumber, asObject, parseJson, asText, type JsonObject } from '../json/json-value.ts'
import { addTextLogprobs } from '../answers/event-content.ts'
import type { UnassembledEvent } from '../tool-calls/assembler.ts'
import { readLogProbabilities } from '../openai-chat/logprobs.ts'
import { findEventFailure } from './error.ts'
import { openEncryptedReasoning, readReasoning } from './extras.ts'
import { parseAnswerUsage } from './usage.ts'
import { parseTextRange } from '../openai-chat/events.ts'

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

export const buildStartEvent = (response: JsonObject): ModelEvent => ({
  type: 'start',
  id: asText(response.id) ?? '',
  model: asText(response.model) ?? '',
  created: Math.trunc(asFiniteNumber(response.created_at) ?? 0),
})

/**
 * Returns a reader of the frames of one stream. Content that an item did not stream is taken from the completed item.
 * @throws GatewayError upstream.unreadable if a frame's data is not a JSON object
 */
export function createStreamReader(): (frame: SseFrame) => UnassembledEvent[] {
  let started = false
  let called = false
  /** Places of items whose events have only the item's id. */
  const places = new Map<string, number>()
  /** Items with streamed content, and the kind of event that their reasoning comes in. */
  const streamed = new Map<number, string>()
  let anyStreamed = false
  /** Characters of text so far, and before each part of a message, by its place. */
  let letters = 0
  const begins = new Map<string, number>()

  /** Returns the place of an event's item. Most servers send it in each event, some only the item's id. */
  function getPlace({ output_index, item_id, item }: JsonObject): number {
    const givenIndex = asFiniteNumber(output_index)
    const id = asText(item_id) ?? asText(getMember(item, 'id'))
    if (id === undefined) return givenIndex ?? 0
    const place = givenIndex ?? places.get(id) ?? -1 - places.size
    places.set(id, place)
    return place
  }

  /**
   * Is this kind of event read for the item? Summary and text of reasoning have the same content, so the kind that came
   * first counts.
   */
  function speaks(place: number, type: string): boolean {
    const kind = type.split('.')[1] ?? ''
    anyStreamed = true
    if (!streamed.has(place) || !kind.startsWith('reasoning')) streamed.set(place, kind)
    return streamed.get(place) === kind
  }

  /** Returns the characters before the part of an event. */
  function getPartStart({ output_index, content_index }: JsonObject): number {
    const part = `${asFiniteNumber(output_index)} ${asFiniteNumber(content_index)}`
    const begin = begins.get(part) ?? letters
    begins.set(part, begin)
    return begin
  }

  function done(item: JsonObject, place: number): ModelEvent[] {
    if (!streamed.has(place)) {
      const events = readItemEvents(item, place, letters)
      called ||= isToolCallItem(item)
      if (events.length > 0) streamed.set(place, '')
      anyStreamed ||= events.length > 0
      letters += getTextLength(events)
      return events
    }
    const sealed = asText(item.encrypted_content)
    return item.type === 'reasoning' && sealed
      ? [{ type: 'reasoning', ...openEncryptedReasoning('', sealed), choice: CHOICE_INDEX }]
      : []
  }

  function ended(response: JsonObject): ModelEvent[] {
    const remainingEvents = anyStreamed
      ? []
      : (asList(response.output) ?? []).flatMap((item, at) => done(asObject(item) ?? {}, at))
    const usage = parseAnswerUsage(response)
    return [
      ...remainingEvents,
      { type: 'finish', reason: parseFinish(response, called), choice: CHOICE_INDEX },
      ...(usage ? [{ type: 'usage' as const, usage }] : []),
      { type: 'end' },
    ]
  }

  function read(type: string, event: JsonObject): ModelEvent[] {
    const place = getPlace(event)
    const item = asObject(event.item) ?? {}
    const delta = asText(event.delta)
    switch (type) {
      case 'response.output_item.added':
        // Some servers send every item with the same place.
        streamed.delete(place)
        if (!isToolCallItem(item)) return []
        called = true
        return [startToolCall(item, place)]
      case 'response.output_item.done':
        return done(item, place)
      case 'response.output_text.delta': {
        const logprobs = readLogProbabilities(event.logprobs)
        const texts = addTextLogprobs(
          delta ? [{ type: 'text', text: delta, choice: CHOICE_INDEX }] : [],
          logprobs,
          CHOICE_INDEX,
        )
        if (texts.length === 0 || !speaks(place, type)) return []
        getPartStart(event)
        letters += getTextLength(texts)
        return texts
      }
      case 'response.refusal.delta':
        return delta && speaks(place, type) ? [{ type: 'refusal', text: delta, choice: CHOICE_INDEX }] : []
      case 'response.reasoning_summary_part.added':
        // Parts of a summary are paragraphs.
        return event.summary_index && streamed.has(place)
          ? [{ type: 'reasoning', text: '\n\n', choice: CHOICE_INDEX }]
          : []
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return delta && speaks(place, type) ? [{ type: 'reasoning', text: delta, choice: CHOICE_INDEX }] : []
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        speaks(place, type)
        return delta ? [{ type: 'tool_call', index: place, choice: CHOICE_INDEX, arguments: delta }] : []
      case 'response.output_text.annotation.added':
        speaks(place, type)
        return readCitationEvents(event.annotation, getPartStart(event))
      case 'response.audio.delta':
        return delta ? [{ type: 'audio', data: delta, format: 'wav', choice: CHOICE_INDEX }] : []
      case 'response.completed':
      case 'response.incomplete':
        return ended(asObject(event.response) ?? {})
      default:
        return []
    }
  }

  return (frame) => {
    const data = frame.data.trim()
    if (data === '' || data === '[DONE]') return []
    const event = asObject(parseJson(data))
    if (!event) fail('upstream.unreadable', {}, { detail: 'a frame of the stream is no JSON object' })
    const type = asText(event.type) ?? frame.event ?? ''
    const failure = findEventFailure(type, event)
    const response = asObject(getMember(event, 'response'))
    const usage = parseAnswerUsage(response ?? event)
    const counted: ModelEvent[] = usage ? [{ type: 'usage', usage }] : []
    if (failure) return [...counted, { type: 'failure', failure }]
    const readEvents = read(type, event)
    const events = readEvents.at(-1)?.type === 'end' ? readEvents : [...readEvents, ...counted]
    if (started || !response) return events
    started = true
    return [buildStartEvent(response), ...events]
  }
}
