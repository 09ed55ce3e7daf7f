// The paths of Gemini's clients, which contain model and action.
import { decodePath } from './decoded.ts'
import { geminiGenerate as dialect } from '../core/index.ts'
import { CALLER_FORMATS } from '../core/dialects/caller-formats.ts'
import type { RelayRoute } from './relay-route.ts'

/** A path with a model (which may contain slashes and colons) and an action. */
export const ACTION = /^\/(?:v1|v1alpha|v1beta)\/models\/(.+):(\w+)$/
/** The actions after the name of a model, and their formats. */
const ACTIONS = new Map(
  CALLER_FORMATS.flatMap((format) =>
    format.paths.flatMap((path) => {
      const [, action] = path.split('{model}:')
      return action ? [[action, format] as const] : []
    }),
  ),
)
/** Ends of paths that are actions, which require POST. Every other end belongs to the name of the model. */
const ACTION_END = new RegExp(`:(?:${[...ACTIONS.keys(), 'countTokens'].join('|')})$`)
const GEMINI_MODELS = /^\/(?:v1|v1alpha|v1beta)\/models(?:\/(.+))?$/

/** Finds the route of a request in Gemini's format; `unknown` if there is none. */
export function geminiRoute(method: string, path: string, search: string): RelayRoute {
  if (method === 'OPTIONS') return { dialect, operation: 'preflight' }
  const [, named, action] = (method === 'POST' && ACTION.exec(path)) || []
  if (named !== undefined && action !== undefined) {
    const model = decodePath(named)
    if (action === 'countTokens') return { dialect, operation: 'count', place: { model, stream: false } }
    const format = ACTIONS.get(action)
    if (!format) return { dialect, operation: 'unknown' }
    if (format !== dialect) return { dialect: format, operation: 'call', place: { model } }
    if (!action.startsWith('stream')) return { dialect, operation: 'call', place: { model, stream: false } }
    // Google's default is an array.
    const array = new URLSearchParams(search).get('alt') !== 'sse'
    return { dialect, operation: 'call', place: { model, stream: true }, array }
  }
  const matched = method === 'GET' && !ACTION_END.test(path) ? GEMINI_MODELS.exec(path) : null
  if (!matched) return { dialect, operation: 'unknown' }
  const [, model] = matched
  return model === undefined
    ? { dialect, operation: 'models' }
    : { dialect, operation: 'model', model: decodePath(model) }
}
