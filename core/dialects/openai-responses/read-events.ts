// Reads the stream of a Responses answer.
import { fail } from '../../errors.ts'
import type { SseFrame } from '../answers/frames.ts'
import type { ModelEvent } from '../answers/model-event.ts'
import { asList, getMember, asFiniteNumber, asObject, parseJson, asText, type JsonObject } from '../json/json-value.ts'
import { addTextLogprobs } from '../answers/logprobs.ts'
import type { UnassembledEvent } from '../tool-calls/assembler.ts'
import { readLogProbabilities } from '../openai-chat/logprobs.ts'
import { failureInEvent } from './error.ts'
import { openEncryptedReasoning } from './extras.ts'
import {
  startToolCall,
  CHOICE_INDEX,
  readCitationEvents,
  parseFinish,
  isToolCallItem,
  readItemEvents,
  getTextLength,
} from './items.ts'
import { parseAnswerUsage } from './usage.ts'

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
    const failure = failureInEvent(type, event)
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
