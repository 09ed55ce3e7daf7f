// The fields that each endpoint takes, and an input that each endpoint accepts.
import type { z } from 'zod'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { endpointsByName } from '../../../core/contracts.ts'

type ObjectPart = NonNullable<Endpoint['body']>

/** The schemas of an endpoint's input: of its path, its query and its body. */
export const listParts = ({ params, query, body }: Endpoint): ObjectPart[] =>
  [params, query, body].filter((part) => part !== undefined)

export const listFields = (part: ObjectPart): [string, z.ZodType][] =>
  Object.entries(part.shape as Record<string, z.ZodType>)

export const endpointsWithInput: [string, Endpoint][] = [...endpointsByName].filter(
  ([, endpoint]) => listParts(endpoint).length > 0,
)

/** Values of which at least one passes each schema of a required field. */
const CANDIDATES = [
  ...[1, 'default', 'a', [1], ['a'], {}, true, 'https://a.example', 'read', 'disable', 'epay', 'new-api', 'disk'],
  ...[`age1${'q'.repeat(58)}`, []],
]

/** Builds an input with every required field, each with a value that its schema accepts. */
export const buildValidInput = (endpoint: Endpoint): Record<string, unknown> =>
  Object.fromEntries(
    listParts(endpoint)
      .flatMap(listFields)
      .filter(([, schema]) => !schema.safeParse(undefined).success)
      .map(([field, schema]) => [field, CANDIDATES.find((value) => schema.safeParse(value).success)]),
  )
