// A `response.create` message of a WebSocket: the request that a `POST` would have, and the fields that only a socket has.
import { GatewayError } from '../core/index.ts'
import { changeTopMembers, toJsonBytes } from '../core/dialects/json/json-bytes.ts'
import { asList, asObject, asText, type JsonObject } from '../core/dialects/json/json-value.ts'
import { parseRequestBody } from '../core/dialects/requests/request-body.ts'

const MAX_LANE_NAME = 128

export interface CreateMessage {
  /** The body that a `POST` would have. */
  body: Uint8Array
  /** Id of the response that it continues; undefined if none. */
  continues: string | undefined
  /** False if only an id is requested, without an answer. */
  generates: boolean
}

/** @throws GatewayError request.invalid */
function laneName({ stream_id }: JsonObject): string | undefined {
  if (stream_id === undefined || stream_id === null) return undefined
  const name = asText(stream_id)
  if (name === undefined || name === '' || name.length > MAX_LANE_NAME)
    throw invalid('stream_id', `stream_id must be a text of 1 to ${MAX_LANE_NAME} characters`)
  return name
}

/**
 * Parses a message of a client.
 * @param toLane receives the name of the lane as soon as it is known
 * @throws GatewayError request.unreadable, request.invalid
 */
export function readCreateMessage(message: Uint8Array, toLane: (name: string | undefined) => void): CreateMessage {
  const request = parseRequestBody(message)
  toLane(laneName(request))
  if (request.type !== 'response.create') throw invalid('type', 'the type of a message must be response.create')
  if (request.background === true)
    throw invalid('background', 'a response over a WebSocket cannot be in the background')
  const changes = new Map([
    ...['type', 'stream_id', 'stream_options', 'background', 'generate'].flatMap((name) =>
      request[name] === undefined ? [] : [[name, null] as const],
    ),
    ['stream', toJsonBytes(true)] as const,
    ...(needsEncryptedReasoning(request)
      ? [['include', toJsonBytes([...(asList(request.include) ?? []), ENCRYPTED_REASONING])] as const]
      : []),
  ])
  return {
    body: changeTopMembers(message, changes),
    continues: asText(request.previous_response_id),
    generates: request.generate !== false,
  }
}

const ENCRYPTED_REASONING = 'reasoning.encrypted_content'

/** True if encrypted reasoning has to be requested: a response that is not stored can be continued only with it. */
const needsEncryptedReasoning = ({ store, reasoning, include }: JsonObject): boolean =>
  store === false && asObject(reasoning) !== undefined && asList(include)?.includes(ENCRYPTED_REASONING) !== true

const invalid = (param: string, reason: string) => new GatewayError('request.invalid', { param, reason })
