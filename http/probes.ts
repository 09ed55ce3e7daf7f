// /healthz and /readyz, for supervisors and load balancers. They access neither the database nor the disk.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OpenapiPaths } from '../core/contract/openapi.ts'
import type { Gateway } from '../core/index.ts'

/** The stage of a server, set by the code that starts and stops it. */
export interface ServerReadiness {
  stage: 'starting' | 'ready' | 'stopping'
}

/** The readiness for calls, or the reason why there is none. */
export type ReadinessState = ServerReadiness['stage'] | 'storage_away'

export const getReadiness = ({ stage }: ServerReadiness, gateway?: Pick<Gateway, 'takesCalls'>): ReadinessState =>
  stage === 'ready' && gateway?.takesCalls() === false ? 'storage_away' : stage

/** Responds to a probe. Returns false for other paths. */
export function answerProbeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  ready: () => ReadinessState,
): boolean {
  if (path !== '/healthz' && path !== '/readyz') return false
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD', 'content-length': 0 }).end()
    return true
  }
  // A response shows that the event loop runs. Being alive means no more than that.
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

const statusReply = (description: string, statuses: readonly string[]) => ({
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

const UNREADY: readonly ReadinessState[] = ['starting', 'stopping', 'storage_away']
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

/** The paths of the probes in the OpenAPI document. */
export const probePathDocument: OpenapiPaths = {
  '/healthz': probe('healthz', 'Does the process turn', { 200: statusReply('It does', ['alive']) }),
  '/readyz': probe('readyz', 'Can calls begin', {
    200: statusReply('They can', ['ready']),
    503: statusReply('They cannot: ask again after Retry-After', UNREADY),
  }),
}
