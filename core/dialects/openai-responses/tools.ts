// The tools of a Responses request: functions, tools that other formats write as functions, and hosted tools.
import { fail } from '../../errors.ts'
import type { ModelRequest, Tool } from '../model-request.ts'
import { createFreeformTool, flattenToolName, type ToolForm, type ToolForms } from '../requests/tools.ts'
import { asList, getMember, asObject, asText, omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import { clientToolFunctions } from './client-tools.ts'

type ReportLostTool = (field: string) => void

/** Yields the tools and namespaces of a request, and those that its input has loaded. */
export function* listDeclaredTools({ tools, input }: JsonObject): Generator<JsonObject> {
  for (const tool of asList(tools) ?? []) yield asObject(tool) ?? {}
  for (const item of asList(input) ?? []) {
    const type = getMember(item, 'type')
    if (type !== 'tool_search_output' && type !== 'additional_tools') continue
    for (const tool of asList(getMember(item, 'tools')) ?? []) yield asObject(tool) ?? {}
  }
}

/** Returns the form of a tool that the caller runs; undefined for a plain function and for a hosted tool. */
function getToolForm(tool: JsonObject, namespace?: string): ToolForm | undefined {
  const name = asText(tool.name) ?? ''
  switch (tool.type) {
    case 'function':
      return namespace === undefined ? undefined : { type: 'function', name, namespace }
    case 'custom':
      return omitUndefinedMembers({ type: 'custom' as const, name, namespace })
    case 'local_shell':
    case 'apply_patch':
      return { type: tool.type, name: tool.type }
    case 'shell':
      return isLocal(tool) ? { type: 'shell', name: 'shell' } : undefined
    case 'tool_search':
      return tool.execution === 'client' ? { type: 'tool_search', name: 'tool_search' } : undefined
    default:
      return undefined
  }
}

/** A shell may run in one of OpenAI's containers. */
const isLocal = ({ environment }: JsonObject): boolean =>
  environment === undefined || environment === null || getMember(environment, 'type') === 'local'

/** Returns the forms by flat name; undefined if all tools are plain functions or hosted. */
export function readToolForms(request: JsonObject): ToolForms | undefined {
  let forms: Map<string, ToolForm> | undefined
  const add = (tool: JsonObject, namespace?: string) => {
    const form = getToolForm(tool, namespace)
    if (form) (forms ??= new Map()).set(flattenToolName(namespace, form.name), form)
  }
  for (const tool of listDeclaredTools(request)) {
    if (tool.type !== 'namespace') add(tool)
    else for (const inner of asList(tool.tools) ?? []) add(asObject(inner) ?? {}, asText(tool.name))
  }
  return forms
}

const requireName = (tool: JsonObject): string =>
  asText(tool.name) ?? fail('request.invalid', { param: 'tools', reason: 'a tool has no name' })

/** Reads the caller's tools and the hosted ones, and reports unsupported ones to `lose`. */
export function readToolDeclarations(
  request: JsonObject,
  lose: ReportLostTool,
): Pick<ModelRequest, 'tools' | 'hosted_tools'> {
  const own = new Map<string, Tool>()
  const hosted: NonNullable<ModelRequest['hosted_tools']> = []
  // A tool that a search has loaded may have been declared already.
  const add = (tool: Tool | undefined) => void (tool && !own.has(tool.name) && own.set(tool.name, tool))
  for (const tool of listDeclaredTools(request)) {
    if (tool.type === 'namespace') for (const inner of readNamespace(tool, lose)) add(inner)
    else if (tool.type === 'function' || getToolForm(tool)) add(readTool(tool, lose))
    else if (tool.type === 'tool_search') lose('tools.tool_search')
    else hosted.push(readHosted(tool))
  }
  const tools = [...own.values()]
  return { ...(tools.length > 0 ? { tools } : {}), ...(hosted.length > 0 ? { hosted_tools: hosted } : {}) }
}

function readTool(tool: JsonObject, lose: ReportLostTool): Tool | undefined {
  const { type, description, parameters, strict, format } = tool
  // All tools that a search could find are already there.
  if (tool.defer_loading === true) lose('tools.defer_loading')
  if (asList(tool.allowed_callers)?.length) lose('tools.allowed_callers')
  if (asObject(tool.output_schema)) lose('tools.output_schema')
  if (type === 'custom') return createFreeformTool(requireName(tool), asText(description), format)
  if (type !== 'function') {
    const own = asText(type) ?? ''
    if (Object.hasOwn(clientToolFunctions, own))
      return clientToolFunctions[own as keyof typeof clientToolFunctions](tool)
    return void lose(`tools.${own}`)
  }
  return omitUndefinedMembers({
    name: requireName(tool),
    description: asText(description),
    parameters: parameters ?? undefined,
    strict: typeof strict === 'boolean' ? strict : undefined,
  })
}

/** Returns a namespace's tools under flat names. Its description is added to the first of them. */
function readNamespace(namespace: JsonObject, lose: ReportLostTool): Tool[] {
  const name = requireName(namespace)
  const about = asText(namespace.description)
  return (asList(namespace.tools) ?? []).flatMap((each, at) => {
    const tool = readTool(asObject(each) ?? {}, lose)
    if (!tool) return []
    const words = [at === 0 && about !== undefined ? `${name}: ${about}` : undefined, tool.description]
    const description = words.filter((text) => text !== undefined).join('\n\n')
    return [{ ...tool, name: flattenToolName(name, tool.name), ...(description === '' ? {} : { description }) }]
  })
}

/** The preview is an older name of the same tool. */
const hostedName = (type: string): string => type.replace(/^web_search_.*/, 'web_search')

function readHosted({ type, ...options }: JsonObject): NonNullable<ModelRequest['hosted_tools']>[number] {
  const name = hostedName(asText(type) ?? '')
  const defined = omitUndefinedMembers(options)
  return { name, ...(Object.keys(defined).length > 0 ? { options: defined } : {}) }
}

/** Returns the names of the tools in a choice's list; hosted tools have none. */
const listAllowed = (choice: JsonObject): Set<string> =>
  new Set(
    (asList(choice.tools) ?? []).map((each) => {
      const { type, name, namespace } = asObject(each) ?? {}
      return asText(name) === undefined
        ? hostedName(asText(type) ?? '')
        : flattenToolName(asText(namespace), asText(name) ?? '')
    }),
  )

type HostedToolSelection = Pick<ModelRequest, 'tool_choice' | 'tools' | 'hosted_tools'>

/** Reads the tool choice. If only some tools are allowed, the others are removed. */
export function readToolChoice(choice: unknown, read: HostedToolSelection, lose: ReportLostTool): HostedToolSelection {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { ...read, tool_choice: choice }
  const { type, name, mode, namespace } = asObject(choice) ?? ({} as JsonObject)
  if (type === undefined) return read
  if (type === 'allowed_tools') {
    const allowed = listAllowed(choice as JsonObject)
    const some = <T extends { name: string }>(list: T[] | undefined) => list?.filter((tool) => allowed.has(tool.name))
    const tools = some(read.tools)
    const hosted_tools = some(read.hosted_tools)
    const only = tools?.length === 1 && !hosted_tools?.length ? tools[0] : undefined
    const tool_choice = mode !== 'required' ? 'auto' : only ? { name: only.name } : 'required'
    return { ...read, tools, hosted_tools, tool_choice }
  }
  const flat = flattenToolName(asText(namespace), asText(name) ?? asText(type) ?? '')
  if (read.tools?.some((tool) => tool.name === flat) || (type === 'function' && asText(name))) {
    return { ...read, tool_choice: { name: flat } }
  }
  const hosted = hostedName(flat)
  if (read.hosted_tools?.some((tool) => tool.name === hosted)) {
    return { ...read, tool_choice: { name: hosted, hosted: true } }
  }
  lose(`tool_choice.${asText(type)}`)
  return read
}
