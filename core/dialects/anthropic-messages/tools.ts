// Converts tools from and to this format: the caller's own, the hosted ones and the tool choice.
import { fail } from '../../errors.ts'
import { readCache, writeCache, type ModelRequest, type Tool } from '../model-request.ts'
import { getMember, asFiniteNumber, asObject, asText, asList, type JsonObject } from '../json/json-value.ts'
import { refusesForcedTool } from './thinking.ts'

/** Reports that a field, named as in this format, has no neutral equivalent. */
export type ReportLostField = (field: string) => void

const toolFields = new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'])

type Tools = Pick<ModelRequest, 'tools' | 'hosted_tools' | 'tool_choice' | 'parallel_tool_calls'>
type ToolsOfModel = Tools & Pick<ModelRequest, 'model'>

/**
 * Reads the tools. A tool with another type than `custom` is hosted: it runs at the provider, or its schema is known
 * there.
 */
export function readToolDeclarations(request: JsonObject, lose: ReportLostField): Tools {
  const tools: Tool[] = []
  const hosted: NonNullable<ModelRequest['hosted_tools']> = []
  for (const one of asList(request.tools) ?? []) {
    const tool = asObject(one) ?? {}
    const name = asText(tool.name) ?? asText(tool.type)
    if (name === undefined) fail('request.invalid', { param: 'tools', reason: 'a tool has no name' })
    if (asText(tool.type) === undefined || tool.type === 'custom') tools.push(readTool(name, tool, lose))
    else hosted.push({ name, options: Object.fromEntries(Object.entries(tool).filter(([key]) => key !== 'name')) })
  }
  const parallel = getMember(request.tool_choice, 'disable_parallel_tool_use')
  const tool_choice = readToolChoice(asObject(request.tool_choice))
  return {
    ...(tools.length > 0 ? { tools } : {}),
    ...(hosted.length > 0 ? { hosted_tools: hosted } : {}),
    ...(tool_choice ? { tool_choice } : {}),
    ...(typeof parallel === 'boolean' ? { parallel_tool_calls: !parallel } : {}),
  }
}

function readTool(name: string, tool: JsonObject, lose: ReportLostField): Tool {
  for (const key of Object.keys(tool)) if (!toolFields.has(key)) lose(`tools.${key}`)
  const description = asText(tool.description)
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(tool.input_schema === undefined ? {} : { parameters: tool.input_schema }),
    ...(typeof tool.strict === 'boolean' ? { strict: tool.strict } : {}),
    ...readCache(tool),
  }
}

function readToolChoice(choice: JsonObject | undefined): ModelRequest['tool_choice'] {
  const name = asText(choice?.name)
  if (choice?.type === 'tool' && name !== undefined) return { name }
  if (choice?.type === 'any') return 'required'
  return choice?.type === 'auto' || choice?.type === 'none' ? choice.type : undefined
}

/** Writes the tools and the tool choice. */
export function writeToolDeclarations(request: ToolsOfModel, own: boolean, drop: ReportLostField): JsonObject {
  const { tools = [], hosted_tools = [], parallel_tool_calls } = request
  const written = [
    ...tools.map(({ name, description, parameters, strict, cache }) => ({
      name,
      description,
      input_schema: parameters ?? { type: 'object', properties: {} },
      strict,
      ...writeCache(cache),
    })),
    ...hosted_tools.flatMap(({ name, options }) => {
      if (own) return [{ ...asObject(options), name }]
      if (name === 'web_search') return [webSearch(asObject(options) ?? {})]
      drop(`tools.${name}`)
      return []
    }),
  ]
  if (written.length === 0) return {}
  return { tools: written, ...writeToolChoice(takenChoice(request, drop), parallel_tool_calls) }
}

/** Models that refuse a forced tool get `auto`. */
function takenChoice({ model, tool_choice }: ToolsOfModel, drop: ReportLostField): ModelRequest['tool_choice'] {
  const isForced = tool_choice === 'required' || typeof tool_choice === 'object'
  if (!isForced || !refusesForcedTool(model)) return tool_choice
  drop('tool_choice')
  return 'auto'
}

function writeToolChoice(choice: ModelRequest['tool_choice'], parallel: boolean | undefined): JsonObject {
  if (choice === 'none') return { tool_choice: { type: 'none' } }
  if (choice === undefined && parallel === undefined) return {}
  const type = choice === 'required' ? 'any' : typeof choice === 'object' ? 'tool' : 'auto'
  return {
    tool_choice: {
      type,
      ...(typeof choice === 'object' ? { name: choice.name } : {}),
      ...(parallel === undefined ? {} : { disable_parallel_tool_use: !parallel }),
    },
  }
}

/** Number of searches per context size of OpenAI (docs/relay.md, 12.1). */
const searches: Record<string, number> = { low: 1, medium: 5, high: 10 }

/** Converts OpenAI's web search options. */
function webSearch(options: JsonObject): JsonObject {
  const size = asText(options.search_context_size)
  const max_uses = asFiniteNumber(options.max_uses) ?? (size === undefined ? undefined : searches[size])
  const place = asObject(options.user_location)
  const allowed_domains = asList(getMember(options.filters, 'allowed_domains'))
  return {
    type: 'web_search_20250305',
    name: 'web_search',
    max_uses,
    allowed_domains,
    user_location: place && { ...(asObject(place.approximate) ?? place), type: 'approximate' },
  }
}
