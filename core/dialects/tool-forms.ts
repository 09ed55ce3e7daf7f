// Tools that a caller's format has more words for than functions: what they are, by the names under which a model that
// is told of functions alone knows them.
import { digestOf, emptyHash, mix } from './text-hash.ts'

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
const HASH_BASE = 36
const HASH_DIGITS = 8

/** The name of a namespace's tool where there are none: the same for a call as for its tool. */
export function flatName(namespace: string | undefined, name: string): string {
  if (namespace === undefined) return name
  const between = namespace.endsWith('__') ? '' : '__'
  const flat = (namespace + between + name).replaceAll(/[^\w-]/g, '_')
  if (flat.length <= MAX_NAME) return flat
  const hash = emptyHash()
  mix(hash, flat)
  const digits = digestOf(hash).toString(HASH_BASE).slice(-HASH_DIGITS)
  return `${flat.slice(0, MAX_NAME - digits.length - 1)}_${digits}`
}
