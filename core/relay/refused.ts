// Reports calls that are refused before a provider is called: to the log, and to the observer of the request.
import { getRequestedModel, type RequestHead } from '../dialects/requests/head.ts'
import { asText } from '../dialects/json/json-value.ts'
import { parseRequestBody } from '../dialects/requests/request-body.ts'
import { asGatewayError, type ErrorCode } from '../errors.ts'
import type { RefusedCallLog, RefusedCall } from '../logs/refusals.ts'
import { getUserLanguage } from '../users/user-language.ts'
import type { Call } from './call.ts'
import { toCallFailure } from './failure.ts'

/** The parts of a call that are known if it is refused before its body is read. */
export type UnreadCall = Pick<Call, 'caller' | 'refused' | 'place'> &
  Partial<Pick<Call, 'body' | 'signal'>> & { inbound: Pick<Call['inbound'], 'operation'> }

type RequestedModel = Pick<RequestHead, 'model' | 'requestedModel' | 'stream'>

/** Refusals that are about this process or the database, not about the call: they must not cause further work. */
const ABOUT_PROCESS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['server.busy', 'server.stopping', 'storage.away'])

/**
 * Reports a refused call. A call whose client has disconnected is not refused.
 * @param requested the model of the request; undefined if the request could not be read
 */
export function reportRefusedCall(
  refusals: Pick<RefusedCallLog, 'note'>,
  call: UnreadCall,
  requested: RequestedModel | undefined,
  error: unknown,
): void {
  if (call.signal?.aborted) return
  const refused = toRefusedCall(call, requested ?? findRequestedModel(call), error)
  if (!ABOUT_PROCESS.has(refused.reason)) refusals.note(refused)
  call.refused?.(refused)
}

function toRefusedCall({ caller, inbound }: UnreadCall, requested: RequestedModel, error: unknown): RefusedCall {
  const { user, token, request_id, language, group } = caller
  return {
    request_id,
    user_id: user.id,
    username: user.username,
    token_id: token?.id ?? 0,
    token_name: token?.name ?? '',
    group: (token ? token.group : group) || user.group,
    model: getRequestedModel(requested),
    operation: inbound.operation,
    stream: requested.stream,
    reason: asGatewayError(error).code,
    failure: toCallFailure(error),
    language: language === 'en' ? getUserLanguage(user, 'en') : language,
  }
}

/** Finds the model in the address, or in a body whose other fields may be wrong. */
function findRequestedModel({ body, place }: UnreadCall): RequestedModel {
  if (place?.model !== undefined) return { model: place.model, stream: place.stream ?? false }
  try {
    const { model, stream } = body && body.length > 0 ? parseRequestBody(body) : {}
    return { model: asText(model)?.trim() ?? '', stream: stream === true }
  } catch {
    return { model: '', stream: false }
  }
}
