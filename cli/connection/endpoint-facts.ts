// The facts of an endpoint that the terminal needs to call it: names instead of schemas.
import { toOutline, type EndpointOutline } from '../../core/contract/client.ts'
import { EventStream, FileDownload } from '../../core/contract/replies.ts'
import type { Endpoint, EndpointAccess } from '../../core/contract/endpoint.ts'

export interface EndpointFacts extends EndpointOutline {
  access: EndpointAccess
  /** True if a call changes something, although it may be a GET. */
  changes: boolean
  params: readonly string[]
  /** The fields of the envelope that the reply includes; undefined if the reply is the data alone. */
  envelopeFields?: readonly string[]
  replyKind: 'data' | 'file' | 'events'
}

export function toEndpointFacts(endpoint: Endpoint): EndpointFacts {
  const { access, changes, method, params, reply, replyFields } = endpoint
  return {
    ...toOutline(endpoint),
    access,
    changes: method !== 'GET' || changes === true,
    params: Object.keys(params?.shape ?? {}),
    ...(replyFields ? { envelopeFields: Object.keys(replyFields.shape) } : {}),
    replyKind: reply === FileDownload ? 'file' : reply === EventStream ? 'events' : 'data',
  }
}
