// Tools that a caller's format has more words for than functions: what they are, by the names under which a model that
// is told of functions alone knows them.
import { shortName } from './short-name.ts'

/** What a call of the tool is, in the caller's format. */
export interface ToolForm {
  type: 'function' | 'custom' | 'local_shell' | 'shell' | 'apply_patch' | 'tool_search'
  /** The tool's own name. */
  name: string
  namespace?: string
}

export type ToolForms = ReadonlyMap<string, ToolForm>

/** No vendor takes longer names of functions. */
const MAX_NAME = 64

/** The name of a namespace's tool where there are none: the same for a call as for its tool. */
export function flatName(namespace: string | undefined, name: string): string {
  if (namespace === undefined) return name
  const between = namespace.endsWith('__') ? '' : '__'
  const flat = (namespace + between + name).replaceAll(/[^\w-]/g, '_')
  return flat.length <= MAX_NAME ? flat : shortName(flat, MAX_NAME)
}
