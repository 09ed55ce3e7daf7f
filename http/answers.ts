// Answers by their id, for callers of the Responses API. Decides nothing.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createStop, type CallCaller, type Gateway } from '../core/index.ts'
import { decoded } from './gemini-paths.ts'
import { queryOf } from './key.ts'
import { HUNG_UP } from './refuse.ts'

export interface AnswerRoute {
  wanted: 'read' | 'delete' | 'input' | 'cancel'
  id: string
}

const PATH = /^\/v1\/responses\/([^/]+)(\/input_items|\/cancel)?$/

const WANTED: Record<string, AnswerRoute['wanted']> = {
  GET: 'read',
  DELETE: 'delete',
  'GET/input_items': 'input',
  'POST/cancel': 'cancel',
}

/** What is asked of an answer; undefined where the path is another. */
export function answerRoute(method: string, path: string): AnswerRoute | undefined {
  const [, id, behind = ''] = PATH.exec(path) ?? []
  const wanted = WANTED[method + behind]
  return id === undefined || wanted === undefined ? undefined : { wanted, id: decoded(id) }
}

export function answerById(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  caller: CallCaller,
  route: AnswerRoute,
): Promise<Uint8Array> {
  const hangUp = createStop()
  response.on('close', () => response.writableFinished || hangUp.now(HUNG_UP))
  return gateway.answerById(caller, { ...route, query: queryOf(request) }, hangUp.signal)
}
