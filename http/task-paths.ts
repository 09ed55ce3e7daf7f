// Finds the routes of tasks, which each format declares.
import { TASK_FORMATS } from '../core/dialects/tasks/task-formats.ts'
import type { TaskFormat, TaskRoute } from '../core/dialects/tasks/task-format.ts'

export interface PlacedTask {
  format: TaskFormat
  route: TaskRoute
  /** Values of the parameters in the path, by name. */
  path: Record<string, string>
}

const ROUTES = TASK_FORMATS.flatMap((format) =>
  format.routes.map((route) => ({ format, route, pattern: toPattern(route.path) })),
)

/** Converts a declared path to a pattern. A name in braces matches a segment up to a colon, or one of the listed words. */
function toPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()[\]\\]/g, '\\$&')
  const pattern = escaped.replace(
    /\{(\w+)(?:=([\w|]+))?\}/g,
    (_, name: string, words = '[^/:]+') => `(?<${name}>${words})`,
  )
  // oxlint-disable-next-line weir/no-pattern-of-text -- the paths that formats declare
  return new RegExp(`^${pattern}$`)
}

/** Finds the task route of a request; undefined if there is none. */
export function taskRoute(method: string, path: string, search: string): PlacedTask | undefined {
  for (const { format, route, pattern } of ROUTES) {
    if (route.method !== method || !matchesQuery(search, route)) continue
    const groups = pattern.exec(path)?.groups
    if (groups || pattern.test(path)) return { format, route, path: decodeValues(groups ?? {}) }
  }
  return undefined
}

function matchesQuery(search: string, { query = {} }: TaskRoute): boolean {
  const parameters = new URLSearchParams(search)
  return Object.entries(query).every(([name, value]) => parameters.get(name) === value)
}

function decodeValues(groups: Record<string, string>): Record<string, string> {
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
