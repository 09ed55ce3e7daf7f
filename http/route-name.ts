// The path of a request for logs and traces: a pattern that contains no secret and is the same for all requests of a kind.
import { NOTIFY_PATH } from '../core/dialects/tasks/notify-path.ts'
import { normalizePath } from './base-addresses.ts'
import type { RelayRoute } from './relay-route.ts'

/** The name of a model in a path. The word after its last colon is the action. */
const MODEL = /^(.*\/(?:models|engines)\/).+?(:\w+|\/[a-z/]+)?$/

/** Returns the pattern of a request to the relay; `other` for unknown paths, which may contain anything. */
export function routeName(route: RelayRoute, url: string): string {
  switch (route.operation) {
    case 'call':
    case 'count':
    case 'estimate': {
      const path = normalizePath(url.split('?', 1)[0] ?? '')
      return route.place?.model === undefined ? path : path.replace(MODEL, '$1{model}$2')
    }
    case 'task':
      return route.task.route.path
    case 'answer':
      return `/v1/responses/{id}${BEHIND[route.answer.wanted] ?? ''}`
    case 'models':
      return '/v1/models'
    case 'model':
      return '/v1/models/{model}'
    case 'playground':
      return '/pg/chat/completions'
    case 'task_file':
      return '/pg/tasks/{id}/content'
    case 'billing':
      return `/dashboard/billing/${route.wanted}`
    case 'notice':
      return `${NOTIFY_PATH}{key}`
    case 'websocket':
      return '/v1/realtime'
    default:
      return 'other'
  }
}

const BEHIND: Record<string, string> = { input: '/input_items', cancel: '/cancel' }
