// Gemini takes its fields in either spelling, `functionCall` and `function_call`; its errors say the second.
import type { Json } from '../../support/json.ts'

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** What stands below these is the caller's own. */
const callers = new Set([
  'args',
  'response',
  'responseJsonSchema',
  'parametersJsonSchema',
  'labels',
  'partMetadata',
  'enum',
  'default',
  'example',
])

/** A body in the first spelling. */
export function inCamelCase(value: Json): Json {
  if (Array.isArray(value)) return value.map(inCamelCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => field(camel(key), inner)))
}

function field(name: string, value: Json): [string, Json] {
  if (callers.has(name)) return [name, value]
  if (name !== 'properties' || typeof value !== 'object' || value === null) return [name, inCamelCase(value)]
  return [name, Object.fromEntries(Object.entries(value).map(([property, schema]) => [property, inCamelCase(schema)]))]
}

/** A place as errors say it: `tools[0].function_declarations[0].parameters`. */
export const placeOf = (path: readonly (string | number)[]): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${snake(part)}`)).join('')
