// /healthz and /readyz, for whatever keeps the process running and sends it calls. They ask nobody: no database, no disk.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Paths } from '../core/contract/openapi.ts'
import type { Gateway } from '../core/index.ts'

/** How far a server is; whoever starts or stops it says so. */
export interface Readiness {
  stage: 'starting' | 'ready' | 'stopping'
}

/** Why calls cannot begin, or that they can. */
export type Ready = Readiness['stage'] | 'storage_away'

export const getReadiness = ({ stage }: Readiness, gateway?: Pick<Gateway, 'takesCalls'>): Ready =>
  stage === 'ready' && gateway?.takesCalls() === false ? 'storage_away' : stage

/** Answers a probe; false where the path is none. */
export function answerProbe(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  ready: () => Ready,
): boolean {
  if (path !== '/healthz' && path !== '/readyz') return false
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD', 'content-length': 0 }).end()
    return true
  }
  // Who gets an answer knows that the event loop turns: that is all that being alive means.
  const status = path === '/healthz' ? 'alive' : ready()
  const fit = status === 'alive' || status === 'ready'
  const body = JSON.stringify({ status })
  response.writeHead(fit ? 200 : 503, {
    'content-type': 'application/json',
    'content-length': body.length,
    'cache-control': 'no-store',
    ...(fit ? {} : { 'retry-after': '1' }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
  return true
}

const told = (description: string, statuses: readonly string[]) => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        description,
        properties: { status: { type: 'string', enum: statuses, description: 'How it stands' } },
        required: ['status'],
      },
      example: { status: statuses[0] },
    },
  },
})

const UNREADY: readonly Ready[] = ['starting', 'stopping', 'storage_away']
const probe = (name: string, summary: string, responses: object) => ({
  get: {
    operationId: `probes.${name}`,
    summary,
    description: `${summary}.`,
    tags: ['probes'],
    security: [],
    responses,
  },
})

/** Their paths in the OpenAPI document. */
export const probePaths: Paths = {
  '/healthz': probe('healthz', 'Does the process turn', { 200: told('It does', ['alive']) }),
  '/readyz': probe('readyz', 'Can calls begin', {
    200: told('They can', ['ready']),
    503: told('They cannot: ask again after Retry-After', UNREADY),
  }),
}
