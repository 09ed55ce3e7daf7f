// Returns stored responses by their id, for clients of the Responses API. Decides nothing.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnswerRoute } from './answer-path.ts'
import { createAbortSource, type CallCaller, type Gateway } from '../core/index.ts'
import { parseQuery } from './key.ts'
import { HUNG_UP } from './refuse.ts'

export function answerById(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  caller: CallCaller,
  route: AnswerRoute,
): Promise<Uint8Array> {
  const hangUp = createAbortSource()
  response.on('close', () => response.writableFinished || hangUp.now(HUNG_UP))
  return gateway.answerById(caller, { ...route, query: parseQuery(request) }, hangUp.signal)
}
