// JSON schemas that Claude enforces, and how many of them one request may have ("Structured outputs", November 2026).
import type { ModelRequest, Tool } from '../model-request.ts'
import { normalizeParameters } from '../json-schema/parameters.ts'
import { formatInWords } from '../json-schema/words.ts'
import { fitSchemaToSubset, type SchemaSubset } from '../json-schema/write.ts'
import { asList, getMember, asObject, type JsonObject } from '../json/json-value.ts'
import { parseClaudeVersion } from './thinking.ts'

const formats = new Set<unknown>('date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '))

const subset: SchemaSubset = {
  closed: true,
  complete: false,
  recursive: false,
  anything: false,
  tuples: false,
  supports: (word, value) =>
    word === 'format' ? formats.has(value) : word === 'minItems' && (value === 0 || value === 1),
  supportsValue: (value) => value === null || typeof value !== 'object',
}

/** The first version that enforces schemas. */
const KEEPS = 405
/** Limits of one request, over all its schemas. */
const MOST_OPTIONAL = 24
const MOST_UNIONS = 16
const MOST_TOOLS = 20

/** The schemas of a request in this format. */
export interface Schemas {
  tools?: Tool[]
  format?: JsonObject
  /** An instruction to the model that replaces a response format. */
  line?: string
}

/** Returns the caller's own schemas unchanged. */
export const getOwnSchemas = ({ tools, response_format }: ModelRequest): Schemas => ({
  ...(tools ? { tools } : {}),
  ...(response_format ? { format: { type: 'json_schema', schema: response_format.schema } } : {}),
})

/**
 * Converts the schemas of another format: enforced if the model supports it and they can be expressed, otherwise as an
 * instruction.
 */
export function convertSchemas(request: ModelRequest, drop: (field: string) => void): Schemas {
  const { model, messages, tools, response_format: format } = request
  const keep = schemaKeeper(model)
  // An answer with a prefill cannot follow a schema.
  const isPrefilled = messages.at(-1)?.role === 'assistant'
  const schema = format?.schema === undefined || isPrefilled ? undefined : keep(format.schema)
  if (format && !schema) drop('response_format')
  let strict = 0
  const written = tools?.map((tool): Tool => {
    const { strict: isStrict, ...rest } = tool
    const parameters = normalizeParameters(tool.parameters)
    const exact = isStrict && strict < MOST_TOOLS ? keep(parameters) : undefined
    if (isStrict && !exact) drop('tools.strict')
    if (exact) strict++
    return exact ? { ...rest, parameters: exact, strict: true } : { ...rest, parameters }
  })
  return {
    ...(written ? { tools: written } : {}),
    ...(schema ? { format: { type: 'json_schema', schema } } : {}),
    ...(format && !schema ? { line: formatInWords(format) } : {}),
  }
}

/**
 * Returns a function that converts schemas to Claude's subset while the request has room for them, and returns
 * undefined for the others.
 */
function schemaKeeper(model: string): (schema: unknown) => JsonObject | undefined {
  const isSupported = (parseClaudeVersion(model) ?? KEEPS) >= KEEPS
  let optional = 0
  let unions = 0
  return (schema) => {
    const written = isSupported ? fitSchemaToSubset(schema, subset) : undefined
    if (!written) return undefined
    const [more, others] = measureSchema(written)
    if (optional + more > MOST_OPTIONAL || unions + others > MOST_UNIONS) return undefined
    optional += more
    unions += others
    return written
  }
}

/** Counts optional members and unions. */
function measureSchema(schema: JsonObject): [optional: number, unions: number] {
  const members = Object.values(asObject(schema.properties) ?? {})
  const required = asList(schema.required) ?? []
  const inner = [...members, ...(asList(schema.anyOf) ?? []), ...(schema.items ? [schema.items] : [])]
  return inner
    .map((one) => measureSchema(asObject(one) ?? {}))
    .reduce(
      ([optional, unions], [more, others]) => [optional + more, unions + others],
      [members.length - required.length, schema.anyOf || Array.isArray(getMember(schema, 'type')) ? 1 : 0],
    )
}
