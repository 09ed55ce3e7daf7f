// Calls of tools in a chat answer: of functions, and of tools that take a text as it is.
import type { ModelEvent } from '../model-event.ts'
import { createUnwrapper, unwrapped, type Unwrapper } from '../freeform.ts'
import type { JsonObject } from '../json-value.ts'
import type { ToolForms } from '../tool-forms.ts'
import { writeSignature } from './extras.ts'

type Call = Extract<ModelEvent, { type: 'tool_call' }>

/** A tool call's fields; the type is said once, where the call begins. */
export const callFields = (call: Omit<Call, 'type' | 'index' | 'choice'>): JsonObject => ({
  ...(call.id ? { id: call.id } : {}),
  ...(call.id || call.name ? { type: call.freeform ? 'custom' : 'function' } : {}),
  ...(call.freeform
    ? { custom: { ...(call.name ? { name: call.name } : {}), input: call.arguments } }
    : { function: { ...(call.name ? { name: call.name } : {}), arguments: call.arguments } }),
  ...writeSignature(call.signature),
})

/** A whole call, as the caller declared its tool. */
export function wholeCall(call: Omit<Call, 'type' | 'index' | 'choice'>, forms: ToolForms | undefined): JsonObject {
  if (call.freeform || !forms?.has(call.name ?? '')) return callFields(call)
  return callFields({ ...call, arguments: unwrapped(call.arguments), freeform: true })
}

/** Writes the calls of one stream, piece by piece. */
export function createCallWriter(forms: ToolForms | undefined) {
  const open = new Map<string, { choice: number; index: number; unwrapper: Unwrapper }>()
  const written = (index: number, call: Parameters<typeof callFields>[0]): JsonObject => ({
    index,
    ...callFields(call),
  })

  return {
    write(call: Call): JsonObject[] {
      const { choice, index, name = '', arguments: more } = call
      const key = `${choice} ${index}`
      const known = open.get(key)
      if (!known && (call.freeform || !forms?.has(name))) return [written(index, call)]
      const { unwrapper } = known ?? { unwrapper: createUnwrapper() }
      if (!known) open.set(key, { choice, index, unwrapper })
      const text = unwrapper.add(more)
      return known && text === '' ? [] : [written(index, { ...call, arguments: text, freeform: true })]
    },
    /** What is left of a choice's calls, once it is over. */
    rest: (choice: number): JsonObject[] =>
      [...open.values()].flatMap((call) => {
        const text = call.choice === choice ? call.unwrapper.rest() : ''
        return text === '' ? [] : [written(call.index, { arguments: text, freeform: true })]
      }),
  }
}
