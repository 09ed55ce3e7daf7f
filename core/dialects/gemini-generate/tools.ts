// The tools of a model: the caller's functions, and tools that Google runs itself.
import { fail } from '../../errors.ts'
import type { ModelRequest, Tool } from '../model-request.ts'
import { normalizeParameters } from '../json-schema/parameters.ts'
import { asList, getMember, asObject, asText, omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import { toCamelCase, getEitherSpelling, FORMAT_NAME } from './fields.ts'
import { fromGoogleSchema, toGoogle, toGoogleJson } from './schema.ts'

/** Google's own tools by neutral name; the first of a name is the one that is written. */
const hosted: readonly [google: string, name: string][] = [
  ['googleSearch', 'web_search'],
  ['googleSearchRetrieval', 'web_search'],
  ['enterpriseWebSearch', 'web_search'],
  ['urlContext', 'web_fetch'],
  ['codeExecution', 'code_execution'],
]

type Tools = Pick<ModelRequest, 'tools' | 'hosted_tools'> & { others: unknown[] }

/** Reads the tools; `others` have no neutral name. */
export function readToolDeclarations(request: JsonObject): Tools {
  const read: Required<Tools> = { tools: [], hosted_tools: [], others: [] }
  for (const tool of asList(request.tools) ?? []) {
    for (const [key, value] of Object.entries(asObject(tool) ?? {})) {
      const google = toCamelCase(key)
      const known = hosted.find(([name]) => name === google)
      if (google === 'functionDeclarations') read.tools.push(...(asList(value) ?? []).map(readFunction))
      else if (known) read.hosted_tools.push({ name: known[1] })
      else if (value !== null) read.others.push({ [google]: value })
    }
  }
  const { tools, hosted_tools, others } = read
  return { ...(tools.length ? { tools } : {}), ...(hosted_tools.length ? { hosted_tools } : {}), others }
}

function readFunction(declared: unknown): Tool {
  const name =
    asText(getEitherSpelling(declared, 'name')) ??
    fail('request.invalid', { param: 'tools', reason: 'a function has no name' })
  const parameters =
    getEitherSpelling(declared, 'parametersJsonSchema') ?? fromGoogleSchema(getEitherSpelling(declared, 'parameters'))
  return omitUndefinedMembers({ name, description: asText(getEitherSpelling(declared, 'description')), parameters })
}

/** Writes the tools and reports those that Google does not run to `drop`. */
export function writeToolDeclarations(request: ModelRequest, drop: (field: string) => void): JsonObject[] | undefined {
  const functions: JsonObject[] = []
  const own: JsonObject[] = []
  for (const tool of request.tools ?? []) {
    // Callers of other formats can name Google's own tools only as functions (docs/relay.md, 12.5).
    if (hosted.some(([google]) => google === tool.name)) own.push({ [tool.name]: {} })
    else functions.push(writeFunction(tool))
    if (tool.cache) drop('cache_control')
    if (tool.strict) drop('tools.strict')
  }
  for (const { name, options } of request.hosted_tools ?? []) {
    const google = hosted.find(([, neutral]) => neutral === name)?.[0]
    if (google) own.push({ [google]: {} })
    if (!google || options !== undefined) drop(`tools.${name}`)
  }
  // Together with functions, Google runs its own tools only for callers that return its steps, which no other format
  // supports (https://ai.google.dev/gemini-api/docs/tool-combination).
  if (functions.length > 0 && request.dialect !== FORMAT_NAME) {
    for (const name of own.splice(0).flatMap(Object.keys)) drop(`tools.${neutralName(name)}`)
  }
  const all = functions.length > 0 ? [{ functionDeclarations: functions }, ...own] : own
  return all.length > 0 ? all : undefined
}

const neutralName = (google: string): string => hosted.find(([name]) => name === google)?.[1] ?? google

/** Writes a function with Google's own schema if possible: every model and version of the API accepts it. */
function writeFunction({ name, description, parameters }: Tool): JsonObject {
  const schema = normalizeParameters(parameters)
  // A function without parameters has no schema here.
  const hasNoParameters =
    Object.keys(asObject(schema.properties) ?? {}).length === 0 && !asObject(schema.additionalProperties)
  if (hasNoParameters) return omitUndefinedMembers({ name, description })
  const google = toGoogle(schema)
  return omitUndefinedMembers({
    name,
    description,
    ...(google ? { parameters: google } : { parametersJsonSchema: toGoogleJson(schema) ?? schema }),
  })
}

type ToolSelection = Pick<ModelRequest, 'tools' | 'tool_choice'>

/**
 * Reads the tool choice. If only some functions are allowed, the others are removed. `others` are the remaining members
 * of the configuration.
 */
export function readToolChoice<T extends ToolSelection>(request: JsonObject, declared: T): T & { others: JsonObject } {
  const { functionCallingConfig, function_calling_config, ...others } =
    asObject(getEitherSpelling(request, 'toolConfig')) ?? {}
  const config = functionCallingConfig ?? function_calling_config
  const names = asList(getEitherSpelling(config, 'allowedFunctionNames')) ?? []
  const only = names.length === 1 ? asText(names[0]) : undefined
  const tool_choice = parseChoice(getEitherSpelling(config, 'mode'), only)
  const tools = names.length > 1 ? declared.tools?.filter(({ name }) => names.includes(name)) : declared.tools
  return { ...declared, tools, tool_choice, others }
}

function parseChoice(mode: unknown, only: string | undefined): ModelRequest['tool_choice'] {
  switch (mode) {
    case 'ANY':
      return only === undefined ? 'required' : { name: only }
    case 'NONE':
      return 'none'
    case 'AUTO':
    case 'VALIDATED':
      return 'auto'
    default:
      return undefined
  }
}

const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const

/** Writes the tool choice. Google decides itself when to run its own tools: only declared functions can be chosen. */
export function writeToolChoice(
  { tool_choice: choice, dialect }: Pick<ModelRequest, 'tool_choice' | 'dialect'>,
  tools: JsonObject[] = [],
): JsonObject | undefined {
  if (choice === undefined || (typeof choice === 'object' && choice.hosted)) return undefined
  const declared = tools.flatMap((tool) => asList(tool.functionDeclarations) ?? [])
  const chosen = typeof choice === 'object' ? choice.name : undefined
  const known = declared.some((one) => chosen === undefined || getMember(one, 'name') === chosen)
  if (!known && dialect !== FORMAT_NAME) return undefined
  return typeof choice === 'object'
    ? { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [choice.name] } }
    : { functionCallingConfig: { mode: modes[choice] } }
}
