// Arguments for a tool call, made up from the tool's JSON schema.
import { asList, getMember, asObject, type JsonObject } from '../../dialects/json/json-value.ts'

/** Schemas may point at themselves. */
const DEEPEST = 6

/** Returns a simple value that the schema allows: the declared one if there is one, else a plain one. */
export function buildSample(schema: unknown, depth = 0): unknown {
  const rules = asObject(schema) ?? {}
  for (const value of [rules.const, rules.default, asList(rules.enum)?.[0], asList(rules.examples)?.[0]]) {
    if (value !== undefined) return value
  }
  const first = asList(rules.anyOf)?.[0] ?? asList(rules.oneOf)?.[0]
  if (first !== undefined && depth < DEEPEST) return buildSample(first, depth + 1)
  switch (asList(rules.type)?.[0] ?? rules.type) {
    case 'string':
      return 'sandbox'
    case 'integer':
    case 'number':
      return typeof rules.minimum === 'number' ? rules.minimum : 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return depth < DEEPEST && rules.items !== undefined ? [buildSample(rules.items, depth + 1)] : []
    default:
      return buildObject(rules, depth)
  }
}

function buildObject(rules: JsonObject, depth: number): JsonObject {
  const properties = asObject(rules.properties)
  if (!properties || depth >= DEEPEST) return {}
  return Object.fromEntries(
    Object.keys(properties).map((key) => [key, buildSample(getMember(properties, key), depth + 1)]),
  )
}
