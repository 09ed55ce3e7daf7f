// JSON schemas that OpenAI's models enforce in strict mode ("Structured outputs", November 2026), and the conversion of
// other dialects' formats and tools to them. Those of OpenAI's own callers pass through unchanged.
import type { ModelRequest, ResponseFormat, Tool } from '../model-request.ts'
import { normalizeParameters } from '../json-schema/parameters.ts'
import { withFormatInWords } from '../json-schema/words.ts'
import { FULL_JSON_SCHEMA, fitSchemaToSubset, type SchemaSubset } from '../json-schema/write.ts'
import { asList, asObject, type JsonObject } from '../json/json-value.ts'
import { REQUEST_SIZE_LIMITS } from '../requests/sizes.ts'

const formats = new Set<unknown>('date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '))
const keywords = new Set('multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'.split(' '))

const subset: SchemaSubset = {
  closed: true,
  complete: true,
  recursive: true,
  anything: false,
  tuples: false,
  supports: (word, value) =>
    word === 'format'
      ? formats.has(value)
      : word === 'pattern'
        ? !/\(\?[=!<]|\\[1-9]/.test(String(value))
        : keywords.has(word),
  supportsValue: (value) => value === null || typeof value !== 'object',
}

const MOST_MEMBERS = 5000
const MOST_LEVELS = REQUEST_SIZE_LIMITS['openai-chat']?.schema_levels ?? Infinity
const MOST_VALUES = 1000
const MOST_LETTERS = 120_000

/** Returns the schema in the strict subset; undefined if the subset cannot express it. */
function strictSchema(schema: unknown): JsonObject | undefined {
  const written = fitSchemaToSubset(schema, subset)
  if (written?.type !== 'object') return undefined
  const size: Size = { members: 0, values: 0, letters: 0 }
  const levels = measured(written, size)
  const fits = levels <= MOST_LEVELS && size.members <= MOST_MEMBERS && size.values <= MOST_VALUES
  return fits && size.letters <= MOST_LETTERS ? written : undefined
}

interface Size {
  members: number
  values: number
  letters: number
}

/** Adds a schema's counts to `size` and returns its levels of nested objects. */
function measured(schema: JsonObject, size: Size): number {
  const members = Object.entries(asObject(schema.properties) ?? {})
  const named = [...members, ...Object.entries(asObject(schema.$defs) ?? {})]
  const values = asList(schema.enum) ?? []
  size.members += members.length
  size.values += values.length
  size.letters += [...named.map(([name]) => name), ...values.map(String)].join('').length
  const inner = [
    ...named.map(([, one]) => one),
    ...(asList(schema.anyOf) ?? []),
    ...(schema.items ? [schema.items] : []),
  ]
  const below = inner.map((one) => measured(asObject(one) ?? {}, size))
  return Math.max(0, ...below) + (schema.type === 'object' ? 1 : 0)
}

type ReportLost = (field: string) => void

/** OpenAI requires this word in the prompt for JSON output without a schema. */
const MENTIONED = /json/i

/**
 * Returns a request with the tools and the format of another dialect as OpenAI accepts them. OpenAI's own dialects pass
 * through unchanged.
 */
export function fitToolsAndFormat(request: ModelRequest, drop: ReportLost): ModelRequest {
  const { dialect, tools, response_format: requested, messages, ...rest } = request
  if (dialect.startsWith('openai-') || (!tools && !requested)) return request
  const format = requested && fittedFormat(requested, drop)
  const fit = {
    ...rest,
    dialect,
    messages,
    ...(tools ? { tools: tools.map((tool) => fittedTool(tool, drop)) } : {}),
    ...(requested ? { response_format: requested } : {}),
  }
  if (!requested || (format && (format.schema !== undefined || mentions(messages)))) {
    return format ? { ...fit, response_format: format } : fit
  }
  const { response_format: _, ...instructed } = withFormatInWords(fit)
  return format ? { ...instructed, response_format: format } : instructed
}

const mentions = (messages: ModelRequest['messages']): boolean =>
  messages.some(({ content }) => content.some((part) => part.type === 'text' && MENTIONED.test(part.text)))

/** Converts a tool of another dialect: strict if it was and can be. */
function fittedTool(tool: Tool, drop: ReportLost): Tool {
  const { parameters, strict, ...rest } = tool
  const exact = strict ? strictSchema(normalizeParameters(parameters)) : undefined
  if (strict && !exact) drop('tools.strict')
  if (exact) return { ...rest, parameters: exact, strict: true }
  return { ...rest, ...(parameters === undefined ? {} : { parameters: normalizeParameters(parameters) }) }
}

/**
 * Converts another dialect's format, which its vendor would enforce: strict if possible. undefined if the answer is not
 * an object, which has no field.
 */
function fittedFormat(format: ResponseFormat, drop: ReportLost): ResponseFormat | undefined {
  // A schema must have a name here, which only callers of this format set.
  const named = { name: 'answer', ...format }
  if (format.schema === undefined) return {}
  const exact = format.strict === false ? undefined : strictSchema(format.schema)
  if (exact) return { ...named, schema: exact, strict: true }
  const plain = fitSchemaToSubset(format.schema, FULL_JSON_SCHEMA)
  if (plain?.type !== 'object') {
    drop('response_format')
    return undefined
  }
  if (format.strict !== false) drop('response_format.strict')
  return { ...named, schema: plain, strict: false }
}
