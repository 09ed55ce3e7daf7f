// An endpoint as `weir call` needs it: its fields, and where its reply has keys.
import type { z } from 'zod'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { toRules } from '../../core/contract/field.ts'
import { Token } from '../../core/tokens/token.ts'

export interface CallableEndpoint extends Pick<Endpoint, 'method' | 'path' | 'access' | 'summary'> {
  fields: EndpointField[]
  /** The places of API token keys in the reply: the names of the members on the way there, through every list. */
  keyPlaces: string[][]
}

export function toCallableEndpoint(endpoint: Endpoint): CallableEndpoint {
  const { method, path, access, summary, reply, replyFields } = endpoint
  const keyPlaces = findKeyPlaces(replyFields ? replyFields.extend({ data: reply }) : reply)
  return { method, path, access, summary, fields: listEndpointFields(endpoint), keyPlaces }
}

/** A field of an endpoint on the command line. */
export interface EndpointField {
  name: string
  place: 'path' | 'query' | 'body'
  kind: 'text' | 'number' | 'flag' | 'json'
  required: boolean
  /** Type for people: `number`, `text`, `"a" | "b"`. */
  shown: string
}

type JsonSchema = { type?: string | string[]; anyOf?: JsonSchema[]; enum?: unknown[]; default?: unknown }

/** Returns the input fields of an endpoint, whether they travel in path, query or body. */
export function listEndpointFields(endpoint: Endpoint): EndpointField[] {
  return [
    ...readFields(endpoint.params, 'path'),
    ...readFields(endpoint.query, 'query'),
    ...readFields(endpoint.body, 'body'),
  ]
}

function readFields(shape: Endpoint['body'], place: EndpointField['place']): EndpointField[] {
  if (!shape) return []
  const { properties = {}, required = [] } = toRules(shape, 'input')
  return Object.entries(properties).map(([name, property]) => {
    const schema = property as JsonSchema
    const needed = place === 'path' || (required.includes(name) && !shape.shape[name]?.safeParse(undefined).success)
    return { name, place, kind: findKind(schema), required: needed, shown: formatType(schema) }
  })
}

function typeNames(schema: JsonSchema): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(typeNames)
  return schema.type === undefined ? [] : [schema.type].flat()
}

// Values that a schema accepts in any form (such as paging numbers in a query) are sent as text: the schema converts
// them.
function findKind(schema: JsonSchema): EndpointField['kind'] {
  const names = typeNames(schema)
  if (names.includes('string') || names.length === 0) return 'text'
  if (names.includes('number') || names.includes('integer')) return 'number'
  return names.includes('boolean') ? 'flag' : 'json'
}

function formatType(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  return { text: 'text', number: 'number', flag: 'true | false', json: 'JSON' }[findKind(schema)]
}

interface SchemaDefinition {
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
}

function findKeyPlaces(schema: z.ZodType): string[][] {
  if (schema === Token.shape.key) return [[]]
  const { shape = {}, element, innerType } = schema.def as SchemaDefinition
  const inside = innerType ?? element
  if (inside) return findKeyPlaces(inside)
  return Object.entries(shape).flatMap(([name, member]) => findKeyPlaces(member).map((place) => [name, ...place]))
}
