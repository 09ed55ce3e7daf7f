// The input of an endpoint: parsed by its schemas, with every fault named.
import type { z } from 'zod'
import { fail, type GatewayError } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'
import { isVisible } from './visible.ts'
import { describeValidationRefusal, attachOtherRefusals } from './validation.ts'

/** The fields of bodies that name something. Names of users have stricter rules. */
const NAMES = ['name', 'tag', 'new_tag']

type InputFields = Readonly<Record<string, unknown>>

/**
 * Parses the flat input of an endpoint. null means absent in a body, except for the fields that the endpoint lists.
 * @throws GatewayError the error of the first invalid field, else request.invalid naming it, with those of the other
 * invalid fields; request.unknown_field; field.unstorable
 */
export function parseEndpointInput(endpoint: Endpoint, input: InputFields): Record<string, unknown> {
  const parsed: Record<string, unknown> = {}
  const schemas = [endpoint.body, endpoint.query, endpoint.params].filter((schema) => schema !== undefined)
  if (canHaveBody(endpoint)) refuseUnknown(input, endpoint.row ? [...schemas, endpoint.row] : schemas)
  const given = endpoint.body ? withoutNulls(input, endpoint.body, endpoint.nulls) : input
  const refusals: GatewayError[] = []
  for (const schema of schemas) {
    const result = schema.safeParse(given)
    if (result.success) Object.assign(parsed, result.data)
    else refusals.push(describeValidationRefusal(result.error, schema, given))
  }
  const [refusal, ...others] = refusals
  if (refusal) throw attachOtherRefusals(refusal, others)
  const hidden = NAMES.find((name) => {
    const value = parsed[name]
    return endpoint.body !== undefined && typeof value === 'string' && !isVisible(value)
  })
  if (hidden !== undefined) fail('field.hidden', { field: hidden }, { field: hidden })
  const bad = findUnstorable(parsed)
  if (bad !== undefined) fail('field.unstorable', { field: bad })
  return parsed
}

/** Returns true if a request may carry fields in a body, declared or not. */
export const canHaveBody = ({ method, body }: Pick<Endpoint, 'method' | 'body'>): boolean =>
  body !== undefined || method === 'POST' || method === 'PUT'

function withoutNulls(input: InputFields, body: z.ZodObject, nullable: readonly string[] = []): InputFields {
  const isDropped = (name: string) =>
    input[name] === null && Object.hasOwn(body.shape, name) && !nullable.includes(name)
  const names = Object.keys(input)
  if (!names.some(isDropped)) return input
  return Object.fromEntries(names.filter((name) => !isDropped(name)).map((name) => [name, input[name]]))
}

function refuseUnknown(input: InputFields, schemas: readonly z.ZodObject[]): void {
  const unknown = Object.keys(input).find((field) => !schemas.some(({ shape }) => Object.hasOwn(shape, field)))
  if (unknown !== undefined) fail('request.unknown_field', { field: unknown })
}

/** Returns the path of a text that databases store differently or not at all: with NUL, or with half of a character. */
function findUnstorable(value: unknown, path: string[] = []): string | undefined {
  if (typeof value === 'string') return /\0|\p{Cs}/u.test(value) ? path.join('.') : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, part] of Object.entries(value)) {
    const found = findUnstorable(name, [...path, 'a name']) ?? findUnstorable(part, [...path, name])
    if (found !== undefined) return found
  }
  return undefined
}
