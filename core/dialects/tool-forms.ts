// Tools that a caller's format has more forms for than functions, by the names under which a model that only supports
// functions knows them.
import { shortenName } from './short-name.ts'

/** The form of a tool in the caller's format. */
export interface ToolForm {
  type: 'function' | 'custom' | 'local_shell' | 'shell' | 'apply_patch' | 'tool_search'
  /** The name of the tool itself, without its namespace. */
  name: string
  namespace?: string
}

export type ToolForms = ReadonlyMap<string, ToolForm>

/** No vendor accepts longer function names. */
const MAX_NAME = 64

/** Returns the name of a namespaced tool for formats without namespaces: the same for a call as for its tool. */
export function flattenName(namespace: string | undefined, name: string): string {
  if (namespace === undefined) return name
  const between = namespace.endsWith('__') ? '' : '__'
  const flat = (namespace + between + name).replaceAll(/[^\w-]/g, '_')
  return flat.length <= MAX_NAME ? flat : shortenName(flat, MAX_NAME)
}
