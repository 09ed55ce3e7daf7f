// Where answers are asked for by their id.
import { decodePath } from './decoded.ts'

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
  return id === undefined || wanted === undefined ? undefined : { wanted, id: decodePath(id) }
}
