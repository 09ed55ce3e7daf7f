// The tools of a chat request, those that take a text as it is among them, and which of them is to be called.
import { fail } from '../../errors.ts'
import { readCache } from '../cache-mark.ts'
import type { ModelRequest, Tool, ToolCall } from '../model-request.ts'
import { freeformTool, wrapped } from '../freeform.ts'
import { listIn, memberOf, objectIn, textIn, withoutUndefined, type JsonObject } from '../json-value.ts'
import type { ToolForm, ToolForms } from '../tool-forms.ts'
import { readSignature } from './extras.ts'

/** Tools that take a text; undefined where there are none. */
export function toolForms({ tools }: JsonObject): ToolForms | undefined {
  let forms: Map<string, ToolForm> | undefined
  for (const tool of listIn(tools) ?? []) {
    const name = memberOf(tool, 'type') === 'custom' ? textIn(memberOf(memberOf(tool, 'custom'), 'name')) : undefined
    if (name !== undefined) (forms ??= new Map()).set(name, { type: 'custom', name })
  }
  return forms
}

export function readTools(request: JsonObject): Tool[] | undefined {
  const functions = listIn(request.functions)?.map((declared) => ({ type: 'function', function: declared }))
  return (listIn(request.tools) ?? functions)?.map((tool) => {
    const custom = objectIn(memberOf(tool, 'custom'))
    const declared = custom ?? objectIn(memberOf(tool, 'function')) ?? {}
    const name = textIn(declared.name) ?? fail('request.invalid', { param: 'tools', reason: 'a tool has no name' })
    const description = textIn(declared.description)
    if (custom)
      return { ...freeformTool(name, description, custom.format), ...readCache({ ...custom, ...objectIn(tool) }) }
    const { parameters, strict } = declared
    return withoutUndefined({
      name,
      description,
      parameters: parameters ?? undefined,
      strict: typeof strict === 'boolean' ? strict : undefined,
      ...readCache({ ...declared, ...objectIn(tool) }),
    })
  })
}

type Choice = Pick<ModelRequest, 'tools' | 'tool_choice'>

/** Where only some of the tools are allowed, the others are left out. */
export function readToolChoice(choice: unknown, tools: Tool[] | undefined): Choice {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { tools, tool_choice: choice }
  if (choice === 'any') return { tools, tool_choice: 'required' }
  const allowed = objectIn(memberOf(choice, 'allowed_tools'))
  if (allowed) return onlyAllowed(allowed, tools)
  const name = nameIn(choice) ?? textIn(memberOf(choice, 'name'))
  return { tools, tool_choice: name === undefined ? undefined : { name } }
}

const nameIn = (tool: unknown): string | undefined =>
  textIn(memberOf(memberOf(tool, 'function') ?? memberOf(tool, 'custom'), 'name'))

function onlyAllowed(choice: JsonObject, tools: Tool[] = []): Choice {
  const allowed = new Set((listIn(choice.tools) ?? []).map(nameIn))
  const some = tools.filter(({ name }) => allowed.has(name))
  const [only] = some
  if (choice.mode !== 'required') return { tools: some, tool_choice: 'auto' }
  return { tools: some, tool_choice: only && some.length === 1 ? { name: only.name } : 'required' }
}

export function readCall(call: JsonObject): ToolCall {
  const custom = objectIn(call.custom)
  const called = custom ?? objectIn(call.function) ?? {}
  return withoutUndefined({
    id: textIn(call.id) ?? '',
    name: textIn(called.name) ?? '',
    arguments: custom ? wrapped(textIn(custom.input) ?? '') : (textIn(called.arguments) ?? ''),
    signature: readSignature(call),
  })
}
