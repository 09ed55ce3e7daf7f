// The tools of a chat request, including free-form ones, and the tool choice.
import { fail } from '../../errors.ts'
import { readCache, type ModelRequest, type ResponseFormat, type Tool, type ToolCall } from '../model-request.ts'
import { asList, asObject, asText, getMember, type JsonObject, omitUndefinedMembers } from '../json/json-value.ts'
import type { ModelEvent } from '../answers/model-event.ts'
import type { ToolForm, ToolForms, ToolInputUnwrapper } from '../requests/tools.ts'
import { createFreeformTool, createUnwrapper, unwrapInput, wrapInput } from '../requests/tools.ts'

// Fields of a chat request with a less direct neutral equivalent: JSON formats, the built-in search, signatures.

export const FORMAT_NAME = 'openai-chat'

/**
 * Reads the response format. `text` is the default, so it is none. `details` has name and schema: in a member for chat,
 * in the format itself for Responses.
 */
export function readResponseFormat(
  format: unknown,
  details: unknown = getMember(format, 'json_schema'),
): ResponseFormat | undefined {
  const type = getMember(format, 'type')
  if (type === 'json_object') return {}
  if (type !== 'json_schema') return undefined
  const { name, description, schema, strict } = asObject(details) ?? {}
  return {
    schema: schema ?? {},
    ...(asText(name) === undefined ? {} : { name: asText(name) }),
    ...(asText(description) === undefined ? {} : { description: asText(description) }),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

export const writeResponseFormat = ({ schema, ...rest }: ResponseFormat): JsonObject =>
  schema === undefined ? { type: 'json_object' } : { type: 'json_schema', json_schema: { ...rest, schema } }

/** Reads the built-in search. The neutral location is flat, as in most formats; here it is one level down. */
export function readHostedTools(request: JsonObject): ModelRequest['hosted_tools'] {
  const { user_location: place, ...options } = asObject(request.web_search_options) ?? {}
  if (!asObject(request.web_search_options)) return undefined
  const approximate = asObject(getMember(place, 'approximate'))
  const flat = approximate ? { ...options, user_location: { type: 'approximate', ...approximate } } : options
  return [{ name: 'web_search', ...(Object.keys(flat).length > 0 ? { options: flat } : {}) }]
}

/** Writes the options that this format supports. */
export function writeSearch(options: unknown): JsonObject {
  const { search_context_size, user_location } = asObject(options) ?? {}
  const { type = 'approximate', ...approximate } = asObject(user_location) ?? {}
  return { search_context_size, user_location: user_location ? { type, approximate } : undefined }
}

/** Reads the signature of the reasoning before a call, where Google puts it in this format. */
export const readSignature = (call: JsonObject): string | undefined =>
  asText(getMember(getMember(call.extra_content, 'google'), 'thought_signature'))

export const writeSignature = (signature: string | undefined): JsonObject =>
  signature ? { extra_content: { google: { thought_signature: signature } } } : {}

/** Returns the free-form tools; undefined if there are none. */
export function readToolForms({ tools }: JsonObject): ToolForms | undefined {
  let forms: Map<string, ToolForm> | undefined
  for (const tool of asList(tools) ?? []) {
    const name = getMember(tool, 'type') === 'custom' ? asText(getMember(getMember(tool, 'custom'), 'name')) : undefined
    if (name !== undefined) (forms ??= new Map()).set(name, { type: 'custom', name })
  }
  return forms
}

export function readToolDeclarations(request: JsonObject): Tool[] | undefined {
  const functions = asList(request.functions)?.map((declared) => ({ type: 'function', function: declared }))
  return (asList(request.tools) ?? functions)?.map((tool) => {
    const custom = asObject(getMember(tool, 'custom'))
    const declared = custom ?? asObject(getMember(tool, 'function')) ?? {}
    const name = asText(declared.name) ?? fail('request.invalid', { param: 'tools', reason: 'a tool has no name' })
    const description = asText(declared.description)
    if (custom)
      return { ...createFreeformTool(name, description, custom.format), ...readCache({ ...custom, ...asObject(tool) }) }
    const { parameters, strict } = declared
    return omitUndefinedMembers({
      name,
      description,
      parameters: parameters ?? undefined,
      strict: typeof strict === 'boolean' ? strict : undefined,
      ...readCache({ ...declared, ...asObject(tool) }),
    })
  })
}

type ToolSelection = Pick<ModelRequest, 'tools' | 'tool_choice'>

/** Reads the tool choice. If only some tools are allowed, the others are removed. */
export function readToolChoice(choice: unknown, tools: Tool[] | undefined): ToolSelection {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { tools, tool_choice: choice }
  if (choice === 'any') return { tools, tool_choice: 'required' }
  const allowed = asObject(getMember(choice, 'allowed_tools'))
  if (allowed) return onlyAllowed(allowed, tools)
  const name = getFunctionName(choice) ?? asText(getMember(choice, 'name'))
  return { tools, tool_choice: name === undefined ? undefined : { name } }
}

const getFunctionName = (tool: unknown): string | undefined =>
  asText(getMember(getMember(tool, 'function') ?? getMember(tool, 'custom'), 'name'))

function onlyAllowed(choice: JsonObject, tools: Tool[] = []): ToolSelection {
  const allowed = new Set((asList(choice.tools) ?? []).map(getFunctionName))
  const some = tools.filter(({ name }) => allowed.has(name))
  const [only] = some
  if (choice.mode !== 'required') return { tools: some, tool_choice: 'auto' }
  return { tools: some, tool_choice: only && some.length === 1 ? { name: only.name } : 'required' }
}

export function readToolCall(call: JsonObject): ToolCall {
  const custom = asObject(call.custom)
  const called = custom ?? asObject(call.function) ?? {}
  return omitUndefinedMembers({
    id: asText(call.id) ?? '',
    name: asText(called.name) ?? '',
    arguments: custom ? wrapInput(asText(custom.input) ?? '') : (asText(called.arguments) ?? ''),
    signature: readSignature(call),
  })
}

// Tool calls in a chat answer: of functions, and of free-form tools.

type ChatToolCall = Extract<ModelEvent, { type: 'tool_call' }>

/** The arguments of a call without any. Clients parse them. */
const NO_ARGUMENTS = '{}'

/** Writes a tool call's fields. The type is only written where the call starts. */
export const writeCallFields = (call: Omit<ChatToolCall, 'type' | 'index' | 'choice'>): JsonObject => ({
  ...(call.id ? { id: call.id } : {}),
  ...(call.id || call.name ? { type: call.freeform ? 'custom' : 'function' } : {}),
  ...(call.freeform
    ? { custom: { ...(call.name ? { name: call.name } : {}), input: call.arguments } }
    : { function: { ...(call.name ? { name: call.name } : {}), arguments: call.arguments } }),
  ...writeSignature(call.signature),
})

/** Writes a whole call in the form of its tool's declaration. */
export function writeWholeCall(
  call: Omit<ChatToolCall, 'type' | 'index' | 'choice'>,
  forms: ToolForms | undefined,
): JsonObject {
  if (call.freeform) return writeCallFields(call)
  if (!forms?.has(call.name ?? '')) return writeCallFields({ ...call, arguments: call.arguments || NO_ARGUMENTS })
  return writeCallFields({ ...call, arguments: unwrapInput(call.arguments), freeform: true })
}

/** An unfinished call. The unwrapper extracts the text of a custom tool from its arguments. */
interface UnfinishedCall {
  choice: number
  index: number
  empty: boolean
  unwrapper?: ToolInputUnwrapper
}

/** Returns a writer of the calls of one stream, piece by piece. */
export function createCallWriter(forms: ToolForms | undefined) {
  const open = new Map<string, UnfinishedCall>()
  const written = (index: number, call: Parameters<typeof writeCallFields>[0]): JsonObject => ({
    index,
    ...writeCallFields(call),
  })

  return {
    write(call: ChatToolCall): JsonObject[] {
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
