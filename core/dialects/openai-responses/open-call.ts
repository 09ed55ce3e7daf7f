// Writes a tool call while it streams: a function call, or an item of the caller's tool type.
import type { ModelEvent } from '../answers/model-event.ts'
import { createUnwrapper, type ToolForm, type ToolForms, wrapInput } from '../requests/tools.ts'
import type { JsonObject } from '../json/json-value.ts'
import { writeCallMembers, findAnnouncedPatch } from './client-tools.ts'
import { buildAddedEvent, buildDoneEvent, type OutputItem, type ResponseStreamEvent } from './open-item.ts'

type ToolCallEvent = Extract<ModelEvent, { type: 'tool_call' }>

export interface CallItem extends OutputItem {
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
export function findToolForm({ name = '', freeform }: ToolCallEvent, forms: ToolForms | undefined): ToolForm {
  return forms?.get(name) ?? { type: freeform ? 'custom' : 'function', name }
}

/** Creates the item of a call. */
export function createCallItem(
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
