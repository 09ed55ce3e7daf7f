// The path of a request as it may be written down: a pattern, without what is secret, and the same for all of its kind.
import { NOTIFY_PATH } from '../core/dialects/tasks/notify-path.ts'
import { normalizePath } from './base-addresses.ts'
import type { RelayRoute } from './relay-route.ts'

/** What stands in a path for the name of a model; the word behind its last colon is what is asked of it. */
const MODEL = /^(.*\/(?:models|engines)\/).+?(:\w+|\/[a-z/]+)?$/

/** Of a request to the relay; `other` for whatever it does not serve, because nobody knows what stands in it. */
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
