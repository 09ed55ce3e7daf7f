// Tool calls in a chat answer: of functions, and of free-form tools.
import type { ModelEvent } from '../model-event.ts'
import { createUnwrapper, unwrapInput, type Unwrapper } from '../freeform.ts'
import type { JsonObject } from '../json-value.ts'
import type { ToolForms } from '../tool-forms.ts'
import { writeSignature } from './extras.ts'

type Call = Extract<ModelEvent, { type: 'tool_call' }>

/** The arguments of a call without any. Clients parse them. */
const NO_ARGUMENTS = '{}'

/** Writes a tool call's fields. The type is only written where the call starts. */
export const callFields = (call: Omit<Call, 'type' | 'index' | 'choice'>): JsonObject => ({
  ...(call.id ? { id: call.id } : {}),
  ...(call.id || call.name ? { type: call.freeform ? 'custom' : 'function' } : {}),
  ...(call.freeform
    ? { custom: { ...(call.name ? { name: call.name } : {}), input: call.arguments } }
    : { function: { ...(call.name ? { name: call.name } : {}), arguments: call.arguments } }),
  ...writeSignature(call.signature),
})

/** Writes a whole call in the form of its tool's declaration. */
export function wholeCall(call: Omit<Call, 'type' | 'index' | 'choice'>, forms: ToolForms | undefined): JsonObject {
  if (call.freeform) return callFields(call)
  if (!forms?.has(call.name ?? '')) return callFields({ ...call, arguments: call.arguments || NO_ARGUMENTS })
  return callFields({ ...call, arguments: unwrapInput(call.arguments), freeform: true })
}

/** An unfinished call. The unwrapper extracts the text of a custom tool from its arguments. */
interface OpenCall {
  choice: number
  index: number
  empty: boolean
  unwrapper?: Unwrapper
}

/** Returns a writer of the calls of one stream, piece by piece. */
export function createCallWriter(forms: ToolForms | undefined) {
  const open = new Map<string, OpenCall>()
  const written = (index: number, call: Parameters<typeof callFields>[0]): JsonObject => ({
    index,
    ...callFields(call),
  })

  return {
    write(call: Call): JsonObject[] {
      const { choice, index, name = '', freeform, arguments: more } = call
      const key = `${choice} ${index}`
      const known = open.get(key)
      const own = known ?? {
        choice,
        index,
        empty: !freeform,
        ...(!freeform && forms?.has(name) ? { unwrapper: createUnwrapper() } : {}),
      }
      open.set(key, own)
      if (more !== '') own.empty = false
      if (!own.unwrapper) return [written(index, call)]
      const text = own.unwrapper.add(more)
      return known && text === '' ? [] : [written(index, { ...call, arguments: text, freeform: true })]
    },
    /** Returns the rest of a choice's calls when it ends. */
    rest: (choice: number): JsonObject[] =>
      [...open.values()].flatMap(({ index, empty, unwrapper, ...call }) => {
        if (call.choice !== choice) return []
        if (unwrapper) {
          const text = unwrapper.rest()
          return text === '' ? [] : [written(index, { arguments: text, freeform: true })]
        }
        return empty ? [written(index, { arguments: NO_ARGUMENTS })] : []
      }),
  }
}
