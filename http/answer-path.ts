// The paths of stored responses by their id.
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

/** Finds the route of a request for a stored response; undefined if the path is another. */
export function answerRoute(method: string, path: string): AnswerRoute | undefined {
  const [, id, behind = ''] = PATH.exec(path) ?? []
  const action = WANTED[method + behind]
  return id === undefined || action === undefined ? undefined : { wanted: action, id: decodePath(id) }
}
