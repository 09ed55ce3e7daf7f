// The tools of a chat request, including free-form ones, and the tool choice.
import { fail } from '../../errors.ts'
import { readCache } from '../cache-mark.ts'
import type { ModelRequest, Tool, ToolCall } from '../model-request.ts'
import { createFreeformTool, wrapInput } from '../freeform.ts'
import { asList, getMember, asObject, asText, withoutUndefined, type JsonObject } from '../json-value.ts'
import type { ToolForm, ToolForms } from '../tool-forms.ts'
import { readSignature } from './extras.ts'

/** Returns the free-form tools; undefined if there are none. */
export function readToolForms({ tools }: JsonObject): ToolForms | undefined {
  let forms: Map<string, ToolForm> | undefined
  for (const tool of asList(tools) ?? []) {
    const name = getMember(tool, 'type') === 'custom' ? asText(getMember(getMember(tool, 'custom'), 'name')) : undefined
    if (name !== undefined) (forms ??= new Map()).set(name, { type: 'custom', name })
  }
  return forms
}

export function readTools(request: JsonObject): Tool[] | undefined {
  const functions = asList(request.functions)?.map((declared) => ({ type: 'function', function: declared }))
  return (asList(request.tools) ?? functions)?.map((tool) => {
    const custom = asObject(getMember(tool, 'custom'))
    const declared = custom ?? asObject(getMember(tool, 'function')) ?? {}
    const name = asText(declared.name) ?? fail('request.invalid', { param: 'tools', reason: 'a tool has no name' })
    const description = asText(declared.description)
    if (custom)
      return { ...createFreeformTool(name, description, custom.format), ...readCache({ ...custom, ...asObject(tool) }) }
    const { parameters, strict } = declared
    return withoutUndefined({
      name,
      description,
      parameters: parameters ?? undefined,
      strict: typeof strict === 'boolean' ? strict : undefined,
      ...readCache({ ...declared, ...asObject(tool) }),
    })
  })
}

type Choice = Pick<ModelRequest, 'tools' | 'tool_choice'>

/** Reads the tool choice. If only some tools are allowed, the others are removed. */
export function readToolChoice(choice: unknown, tools: Tool[] | undefined): Choice {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { tools, tool_choice: choice }
  if (choice === 'any') return { tools, tool_choice: 'required' }
  const allowed = asObject(getMember(choice, 'allowed_tools'))
  if (allowed) return onlyAllowed(allowed, tools)
  const name = getFunctionName(choice) ?? asText(getMember(choice, 'name'))
  return { tools, tool_choice: name === undefined ? undefined : { name } }
}

const getFunctionName = (tool: unknown): string | undefined =>
  asText(getMember(getMember(tool, 'function') ?? getMember(tool, 'custom'), 'name'))

function onlyAllowed(choice: JsonObject, tools: Tool[] = []): Choice {
  const allowed = new Set((asList(choice.tools) ?? []).map(getFunctionName))
  const some = tools.filter(({ name }) => allowed.has(name))
  const [only] = some
  if (choice.mode !== 'required') return { tools: some, tool_choice: 'auto' }
  return { tools: some, tool_choice: only && some.length === 1 ? { name: only.name } : 'required' }
}

export function readCall(call: JsonObject): ToolCall {
  const custom = asObject(call.custom)
  const called = custom ?? asObject(call.function) ?? {}
  return withoutUndefined({
    id: asText(call.id) ?? '',
    name: asText(called.name) ?? '',
    arguments: custom ? wrapInput(asText(custom.input) ?? '') : (asText(called.arguments) ?? ''),
    signature: readSignature(call),
  })
}
