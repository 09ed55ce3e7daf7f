// The contract as an OpenAPI 3.1 document.
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return json
}

/** Builds the document; `endpoints` by full name. */
export function openapi(endpoints: ReadonlyMap<string, Endpoint>, info: { title: string; version: string }): Json {
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of endpoints) {
    const path = endpoint.path
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint) }
    if (endpoint.changes) paths[path] = { ...paths[path], post: operation(`${name}.post`, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info,
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        access_token: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function operation(name: string, endpoint: Endpoint): Json {
  const envelope = z.object({
    success: z.literal(true),
    message: z.string(),
    data: endpoint.reply,
    ...(endpoint.beside?.shape ?? {}),
  })
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [name.split('.')[0]],
    'x-access': endpoint.access,
    ...(endpoint.access === 'public' ? {} : { security: [{ session: [] }, { access_token: [] }] }),
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(endpoint.body
      ? { requestBody: { content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } } }
      : {}),
    responses: {
      200: {
        description: 'Done, or refused with success false and a message',
        content: { 'application/json': { schema: { anyOf: [schemaOf(envelope, 'output'), refusal] } } },
      },
    },
  }
}

const refusal = {
  type: 'object',
  properties: { success: { const: false }, message: { type: 'string' }, code: { type: 'string' } },
  required: ['success', 'message', 'code'],
}

function parameters(shape: z.ZodObject | undefined, where: 'path' | 'query'): Json[] {
  if (!shape) return []
  const { properties = {}, required = [] } = schemaOf(shape, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema,
  }))
}
