// Where tasks come in: each format declares its routes.
import { TASK_FORMATS } from '../core/dialects/tasks/task-formats.ts'
import type { TaskFormat, TaskRoute } from '../core/dialects/tasks/task-format.ts'

export interface PlacedTask {
  format: TaskFormat
  route: TaskRoute
  /** What the path says. */
  path: Record<string, string>
}

const ROUTES = TASK_FORMATS.flatMap((format) =>
  format.routes.map((route) => ({ format, route, pattern: patternOf(route.path) })),
)

/** Names in braces are one segment each, or one of the words that are said with them; a colon behind one ends it. */
function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()[\]\\]/g, '\\$&')
  const pattern = escaped.replace(
    /\{(\w+)(?:=([\w|]+))?\}/g,
    (_, name: string, words = '[^/:]+') => `(?<${name}>${words})`,
  )
  // oxlint-disable-next-line weir/no-pattern-of-text -- the paths that formats declare
  return new RegExp(`^${pattern}$`)
}

/** What a request asks of tasks; undefined where its path is none of theirs. */
export function taskRoute(method: string, path: string, search: string): PlacedTask | undefined {
  for (const { format, route, pattern } of ROUTES) {
    if (route.method !== method || !saysSo(search, route)) continue
    const groups = pattern.exec(path)?.groups
    if (groups || pattern.test(path)) return { format, route, path: decodedAll(groups ?? {}) }
  }
  return undefined
}

function saysSo(search: string, { query = {} }: TaskRoute): boolean {
  const said = new URLSearchParams(search)
  return Object.entries(query).every(([name, word]) => said.get(name) === word)
}

function decodedAll(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)]
      } catch {
        return [name, value]
      }
    }),
  )
}
