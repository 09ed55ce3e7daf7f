// Builds a Responses answer from events: the events of its stream, the last of which has the whole answer.
import type { CallFailure } from '../answers/call-failure.ts'
import type { Usage } from '../answers/usage.ts'
import type { RequestHead } from '../requests/head.ts'
import type { FinishReason, ModelEvent, OutputTokenLogprobs } from '../answers/model-event.ts'
import type { JsonObject } from '../json/json-value.ts'
import { RESPONSES_SERVICE_TIERS, buildServiceTierField } from '../requests/service-tier.ts'
import { createProofOrder, markCallSignature } from '../reasoning/reasoning-signature.ts'
import { createCallOrder } from '../tool-calls/order.ts'
import { writeErrorEvent, buildResponseError } from './error.ts'
import type { OutputItem, MessageItem, ResponseStreamEvent } from './open-item.ts'
import {
  buildAddedEvent,
  buildDoneEvent,
  createImageItem,
  createMessageItem,
  createReasoningItem,
} from './open-item.ts'
import { buildResponseMembers } from './response.ts'
import { writeUsageObject } from './usage.ts'
import { createUnwrapper, type ToolForm, type ToolForms, wrapInput } from '../requests/tools.ts'
import { writeCallMembers, findAnnouncedPatch } from './client-tools.ts'

type ToolCallEvent = Extract<ModelEvent, { type: 'tool_call' }>

interface CallItem extends OutputItem {
  add(more: Pick<ToolCallEvent, 'arguments' | 'name'>): ResponseStreamEvent[]
}

/** Events for the pieces of a call; calls of other kinds are written when they are complete. */
const PIECES = {
  function: { event: 'function_call_arguments', member: 'arguments' },
  custom: { event: 'custom_tool_call_input', member: 'input' },
} as const

/** Prefixes of item ids, as at OpenAI. */
const prefixes: Record<ToolForm['type'], string> = {
  function: 'fc',
  custom: 'ctc',
  local_shell: 'lsh',
  shell: 'sh',
  apply_patch: 'apc',
  tool_search: 'tsc',
}

/** Returns the declared form of a call's tool. */
function findToolForm({ name = '', freeform }: ToolCallEvent, forms: ToolForms | undefined): ToolForm {
  return forms?.get(name) ?? { type: freeform ? 'custom' : 'function', name }
}

/** Creates the item of a call. */
function createCallItem(
  idOf: (prefix: string) => string,
  place: number,
  call: ToolCallEvent,
  form: ToolForm,
): CallItem {
  const id = idOf(prefixes[form.type])
  const call_id = call.id ?? id
  const pieces = form.type === 'function' || form.type === 'custom' ? PIECES[form.type] : undefined
  const unwrapper = form.type === 'custom' && !call.freeform ? createUnwrapper() : undefined
  let { name } = form
  let text = ''
  /** A patch is announced with its file as soon as that is known. */
  let announced = form.type !== 'apply_patch'
  const item = (status: string): JsonObject => {
    const json = form.type === 'custom' ? wrapInput(text) : text
    return { id, status, ...writeCallMembers({ ...form, name }, call_id, json) }
  }
  const addText = (delta: string): ResponseStreamEvent[] => {
    text += delta
    if (!pieces || delta === '') return []
    return [{ type: `${pieces.event}.delta`, item_id: id, output_index: place, delta }]
  }
  function announce(members: JsonObject | undefined): ResponseStreamEvent[] {
    if (announced || !members) return []
    announced = true
    return [buildAddedEvent(place, { ...item('in_progress'), ...members })]
  }
  return {
    kind: 'call',
    place,
    whole: (status) => (announced ? item(status) : undefined),
    begin: () => (announced ? [buildAddedEvent(place, item('in_progress'))] : []),
    add(more) {
      name ||= more.name ?? ''
      const events = addText(unwrapper ? unwrapper.add(more.arguments) : more.arguments)
      return announced ? events : [...announce(findAnnouncedPatch(text)), ...events]
    },
    close() {
      // A call without arguments has an empty object here.
      const rest = addText(unwrapper?.rest() ?? (form.type === 'function' && text.trim() === '' ? '{}' : ''))
      const whole = item('completed')
      if (!pieces) return { events: [...announce({}), buildDoneEvent(place, whole)], whole }
      const fields = { item_id: id, output_index: place, [pieces.member]: text }
      const ended = { type: `${pieces.event}.done`, ...fields, ...(form.type === 'function' ? { name } : {}) }
      return { events: [...rest, ended, buildDoneEvent(place, whole)], whole }
    },
  }
}

type OutputCitation = Extract<ModelEvent, { type: 'citation' }>

/** A complete item that only this format has. */
interface ItemEvent {
  type: 'item'
  /** The prefix of its id. */
  prefix: string
  build(id: string): JsonObject
}

/** Clients send items back, and OpenAI accepts neither longer ids nor other characters. */
const MAX_ID = 48

/**
 * Returns a function from events to numbered stream events. This format repeats each text when it ends, and the whole
 * answer at the end, so the output so far is retained.
 */
export function createOutput(head: RequestHead): (event: ModelEvent | ItemEvent) => JsonObject[] {
  let start = { id: head.kept_as ?? '', model: head.model, created: 0 }
  /** The members that every event with the whole answer repeats. */
  let members: JsonObject | undefined
  let isStarted = false
  let sequence = 0
  let finish: FinishReason = 'stop'
  let usage: Usage | undefined
  /** The open item: a message, reasoning or a call. */
  let open: OutputItem | undefined
  let openCall: { index: number; item: CallItem } | undefined
  const output: JsonObject[] = []
  /** Characters of text so far. */
  let letters = 0
  const messages: MessageItem[] = []
  /** Citations that came before any text. */
  let waiting: OutputCitation[] = []
  const oneByOne = createCallOrder()
  const inOrder = createProofOrder()

  const createItemId = (prefix: string) =>
    `${prefix}_${start.id.replace(/[^\w-]/g, '').slice(-MAX_ID)}_${output.length}`
  const numbered = (events: ResponseStreamEvent[]): JsonObject[] =>
    events.map(({ type, ...rest }) => ({ type: `response.${type}`, sequence_number: sequence++, ...rest }))

  function response(status: string, more: JsonObject = {}): JsonObject {
    return {
      id: start.id,
      object: 'response',
      created_at: start.created,
      status,
      ...(members ??= buildResponseMembers(head)),
      model: start.model,
      store: head.kept_as !== undefined,
      output: [...output],
      ...more,
    }
  }

  function begin(): ResponseStreamEvent[] {
    if (isStarted) return []
    isStarted = true
    return ['created', 'in_progress'].map((type) => ({ type, response: response('in_progress', { usage: null }) }))
  }

  /** Closes an item. The places in `output` keep the order in which items started. */
  function close(item: OutputItem): ResponseStreamEvent[] {
    const { events, whole } = item.close()
    output[item.place] = whole
    return events
  }

  function closeOpen(): ResponseStreamEvent[] {
    const events = open ? close(open) : []
    open = openCall = undefined
    return events
  }

  /** Returns the open item if it is of this kind; otherwise closes it and opens a new one. */
  function item<T extends OutputItem>(
    kind: T['kind'],
    create: (place: number) => T,
  ): { at: T; events: ResponseStreamEvent[] } {
    if (open?.kind === kind) return { at: open as T, events: [] }
    const events = closeOpen()
    const at = create(output.length)
    output.push({})
    open = at
    return { at, events: [...events, ...at.begin()] }
  }

  function say(type: 'output_text' | 'refusal', text: string, logprobs?: OutputTokenLogprobs[]): ResponseStreamEvent[] {
    const { at, events } = item('message', (place) => {
      const fresh = createMessageItem(createItemId('msg'), place)
      messages.push(fresh)
      return fresh
    })
    const more = at.say(type, text, letters, logprobs)
    if (type === 'refusal') return [...events, ...more]
    letters += text.length
    const sources = waiting.flatMap(cite)
    waiting = []
    return [...events, ...more, ...sources]
  }

  /** Adds a citation to the part that holds its text, or to the last text part. It never opens an item. */
  function cite(source: OutputCitation): ResponseStreamEvent[] {
    const { end = Infinity } = source.at ?? {}
    const texts = messages.flatMap((at) => at.parts.flatMap((part) => (part.type === 'refusal' ? [] : [{ at, part }])))
    const found = texts.findLast(({ part }) => part.from < end) ?? texts[0]
    if (!found) {
      waiting.push(source)
      return []
    }
    const events = found.at.cite(found.part, source)
    if (found.at !== open) output[found.at.place] = found.at.whole()
    return events
  }

  function call(event: Extract<ModelEvent, { type: 'tool_call' }>): ResponseStreamEvent[] {
    if (openCall?.index === event.index) return openCall.item.add(event)
    const { signature, ...plain } = event
    const events = [
      // Calls are not signed in this format: the signature precedes the call, as that of reasoning.
      ...(signature ? think({ type: 'reasoning', text: '', choice: 0, signature: markCallSignature(signature) }) : []),
      ...closeOpen(),
    ]
    const fresh = createCallItem(createItemId, output.length, plain, findToolForm(plain, head.tool_forms))
    output.push({})
    open = fresh
    openCall = { index: event.index, item: fresh }
    return [...events, ...fresh.begin(), ...(event.arguments ? fresh.add({ arguments: event.arguments }) : [])]
  }

  function think(event: Extract<ModelEvent, { type: 'reasoning' }>): ResponseStreamEvent[] {
    const closing = event.redacted && open ? closeOpen() : []
    const { at, events } = item('reasoning', (place) => createReasoningItem(createItemId('rs'), place))
    const added = at.think(event)
    // A signature, or encrypted reasoning, ends its item.
    return [...closing, ...events, ...added, ...(event.signature || event.redacted ? closeOpen() : [])]
  }

  function addItem({ prefix, build }: ItemEvent): ResponseStreamEvent[] {
    const closed = closeOpen()
    const [place, whole] = [output.length, build(createItemId(prefix))]
    output.push(whole)
    return [...closed, buildAddedEvent(place, whole), buildDoneEvent(place, whole)]
  }

  function end(at: number | undefined): ResponseStreamEvent[] {
    const closed = closeOpen()
    const cut = finish === 'length' || finish === 'content_filter'
    const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter'
    const status = cut ? 'incomplete' : 'completed'
    const more = {
      ...(cut ? { incomplete_details: { reason } } : { completed_at: at ?? start.created }),
      ...(usage ? buildServiceTierField(RESPONSES_SERVICE_TIERS, usage) : {}),
      usage: usage ? writeUsageObject(usage) : null,
    }
    return [...closed, { type: status, response: response(status, more) }]
  }

  function take(event: ModelEvent): ResponseStreamEvent[] {
    switch (event.type) {
      case 'text':
        return say('output_text', event.text, event.logprobs)
      case 'refusal':
        return say('refusal', event.text)
      case 'citation':
        return cite(event)
      case 'reasoning':
        return think(event)
      case 'tool_call':
        return call(event)
      case 'image': {
        const closed = closeOpen()
        const picture = createImageItem(createItemId('ig'), output.length, event.url)
        output.push({})
        return [...closed, ...picture.begin(), ...close(picture)]
      }
      case 'audio':
        return [{ type: 'audio.delta', delta: event.data }]
      case 'end':
        return end(event.at)
      default:
        return []
    }
  }

  /** Returns the error and the answer so far. */
  function failed(failure: CallFailure): JsonObject[] {
    const opening = numbered(begin())
    const failureEvent = { ...writeErrorEvent(failure), sequence_number: sequence++ }
    if (open) {
      const sofar = open.whole('incomplete')
      if (sofar) output[open.place] = sofar
      // No event has announced the item.
      else output.length = open.place
    }
    const more = { error: buildResponseError(failure), usage: usage ? writeUsageObject(usage) : null }
    return [...opening, failureEvent, ...numbered([{ type: 'failed', response: response('failed', more) }])]
  }

  return (event) => {
    if (event.type === 'failure') return failed(event.failure)
    if (event.type === 'item') return numbered([...begin(), ...addItem(event)])
    // This format has only one answer.
    if ('choice' in event && event.choice !== 0) return []
    if (event.type === 'start')
      start = { id: head.kept_as ?? event.id, model: event.model || head.model, created: event.created }
    else if (event.type === 'finish') finish = event.reason
    else if (event.type === 'usage') usage = event.usage
    return numbered([...begin(), ...oneByOne.take(event).flatMap(inOrder).flatMap(take)])
  }
}
