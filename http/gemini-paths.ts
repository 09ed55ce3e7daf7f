// Where Gemini's clients come in: model and action stand in the path.
import { decodePath } from './decoded.ts'
import { geminiGenerate as dialect } from '../core/index.ts'
import { CALLER_FORMATS } from '../core/dialects/caller-formats.ts'
import type { RelayRoute } from './relay-route.ts'

/** A model (which may hold slashes and colons) and what is asked of it. */
export const ACTION = /^\/(?:v1|v1alpha|v1beta)\/models\/(.+):(\w+)$/
/** What may be asked of a model, behind its name, and in which format. */
const ACTIONS = new Map(
  CALLER_FORMATS.flatMap((format) =>
    format.paths.flatMap((path) => {
      const [, action] = path.split('{model}:')
      return action ? [[action, format] as const] : []
    }),
  ),
)
/** Asked by POST alone; every other end of a path belongs to the model's name. */
const ASKED = new RegExp(`:(?:${[...ACTIONS.keys(), 'countTokens'].join('|')})$`)
const MODELS = /^\/(?:v1|v1alpha|v1beta)\/models(?:\/(.+))?$/

/** What a client asks for in Gemini's words; `unknown` where it is none of them. */
export function geminiRoute(method: string, path: string, search: string): RelayRoute {
  if (method === 'OPTIONS') return { dialect, operation: 'preflight' }
  const [, named, action] = (method === 'POST' && ACTION.exec(path)) || []
  if (named !== undefined && action !== undefined) {
    const model = decodePath(named)
    if (action === 'countTokens') return { dialect, operation: 'count', place: { model, stream: false } }
    const asked = ACTIONS.get(action)
    if (!asked) return { dialect, operation: 'unknown' }
    if (asked !== dialect) return { dialect: asked, operation: 'call', place: { model } }
    if (!action.startsWith('stream')) return { dialect, operation: 'call', place: { model, stream: false } }
    // Without a word about it Google streams an array.
    const array = new URLSearchParams(search).get('alt') !== 'sse'
    return { dialect, operation: 'call', place: { model, stream: true }, array }
  }
  const listed = method === 'GET' && !ASKED.test(path) ? MODELS.exec(path) : null
  if (!listed) return { dialect, operation: 'unknown' }
  const [, model] = listed
  return model === undefined
    ? { dialect, operation: 'models' }
    : { dialect, operation: 'model', model: decodePath(model) }
}
