// Finds the provider's objects that a body refers to: files, conversations, containers … Each format declares the
// members once, for requests and for answers. The check before a call is forwarded, the rows of the objects in an
// answer, and the tests all use the declarations. Only declared members are read, so a body without objects costs
// little.
import type { JsonObject } from '../json/json-value.ts'

/** The kinds of object that providers store under an id. Items of an answer follow their answer. */
export const OBJECT_KINDS = [
  'response',
  'item',
  'conversation',
  'thread',
  'file',
  'vector_store',
  'container',
  'cached_content',
  'prompt',
  'skill',
  'model',
  'audio',
  'voice',
  'tunnel',
  'profile',
] as const
export type ObjectKind = (typeof OBJECT_KINDS)[number]

/** An object that a request refers to, or that an answer created. */
export interface ProviderObject {
  kind: ObjectKind
  id: string
  /** Name of the member with the id. */
  param: string
  /** Expiry, in epoch ms; undefined if the answer does not report it. */
  expires_at?: number
}

/** A member whose text is an id. */
interface IdPlace {
  kind: ObjectKind
  /** Returns the normalized id; undefined if the text does not refer to an object at the provider. */
  read?(text: string, holder: JsonObject): string | undefined
  /** Members if the value is an object instead of a text. */
  within?: ObjectDeclarations | (() => ObjectDeclarations)
}

/**
 * Members by name; `*` matches every name. For a list, each value is read. A function declares recursive places.
 */
export interface ObjectDeclarations {
  readonly [member: string]: IdPlace | ObjectDeclarations | (() => ObjectDeclarations)
}

export interface FormatObjectDeclarations {
  request: ObjectDeclarations
  answer: ObjectDeclarations
  /** The error of its vendor for an unknown id. */
  unknown: 'object.missing' | 'object.denied'
}

const ID = Symbol('id')

/** Declares a member that refers to an object of this kind. */
export const declareId = (kind: ObjectKind, more: Pick<IdPlace, 'read' | 'within'> = {}): IdPlace & { [ID]: true } => ({
  kind,
  ...more,
  [ID]: true,
})

const isId = (place: object): place is IdPlace => ID in place

/** The compiled declaration: its names and the node under each. */
interface DeclarationNode {
  id?: IdPlace
  every?: DeclarationNode
  names: string[]
  nodes: DeclarationNode[]
}

const known = new WeakMap<object, DeclarationNode>()

function compileNode(place: ObjectDeclarations[string]): DeclarationNode {
  const declared = typeof place === 'function' ? place() : place
  const before = known.get(declared)
  if (before) return before
  const node: DeclarationNode = { names: [], nodes: [] }
  known.set(declared, node)
  if (isId(declared)) node.id = declared
  const within = isId(declared) ? declared.within : declared
  const members = typeof within === 'function' ? within() : (within ?? {})
  for (const [name, inner] of Object.entries(members)) {
    if (name === '*') node.every = compileNode(inner)
    else {
      node.names.push(name)
      node.nodes.push(compileNode(inner))
    }
  }
  return node
}

/** Maximum number of objects in a request. */
export const MAX_REQUEST_OBJECTS = 500

/** Returns the objects in declared places, each once; undefined if there are none. */
export function findProviderObjects(value: unknown, places: ObjectDeclarations): ProviderObject[] | undefined {
  const found: ProviderObject[] = []
  walk(value, compileNode(places), undefined, '', found)
  return found.length === 0 ? undefined : found
}

function walk(
  value: unknown,
  node: DeclarationNode,
  holder: JsonObject | undefined,
  param: string,
  found: ProviderObject[],
): void {
  if (typeof value === 'string') {
    if (node.id && value !== '') note(node.id, value, holder ?? {}, param, found)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const each of value) walk(each, node, holder, param, found)
    return
  }
  const object = value as JsonObject
  const { names, nodes, every } = node
  for (let at = 0; at < names.length; at++) {
    const member = object[names[at]!]
    if (member !== undefined && member !== null) walk(member, nodes[at]!, object, names[at]!, found)
  }
  if (every) for (const [name, member] of Object.entries(object)) walk(member, every, object, name, found)
}

function note({ kind, read }: IdPlace, text: string, holder: JsonObject, param: string, found: ProviderObject[]): void {
  const id = read ? read(text, holder) : text
  if (id === undefined || found.length > MAX_REQUEST_OBJECTS) return
  if (found.some((one) => one.id === id && one.kind === kind)) return
  const expires_at = parseTime(holder.expires_at)
  found.push({ kind, id, param, ...(expires_at === undefined ? {} : { expires_at }) })
}

/** Converts epoch seconds, or a date as text, to epoch ms. */
function parseTime(value: unknown): number | undefined {
  const ms = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : NaN
  return Number.isSafeInteger(ms) && ms > 0 ? ms : undefined
}

/** Hosts where providers store uploads; on any other host an address is public. */
const STORAGES =
  /^(generativelanguage\.googleapis\.com|([\w-]+\.)*aiplatform\.googleapis\.com|api\.(openai|anthropic)\.com)$/
const FILE_PATH = /^\/(?:upload\/|download\/)?(?:v\d\w*\/)?(files\/[^/:?#]+)/

/** Returns the normalized address of a file; undefined for a public address and for inline bytes. */
export function normalizeFileAddress(text: string): string | undefined {
  const head = text.slice(0, 64).trimStart().toLowerCase()
  if (head.startsWith('data:')) return undefined
  if (/^https?:/.test(head)) {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (!url || !STORAGES.test(url.hostname.replace(/\.$/, ''))) return undefined
    return FILE_PATH.exec(url.pathname)?.[1] ?? url.href
  }
  const path = FILE_PATH.exec(`/${text}`)?.[1]
  return path ?? (/^[a-z][a-z0-9+.-]*:\/\//.test(head) ? text : undefined)
}

/** Like `normalizeFileAddress`, for a member that only holds addresses: any that is not public belongs to the provider. */
export const normalizePrivateAddress = (text: string): string | undefined =>
  /^\s*https?:/i.test(text) || /^\s*data:/i.test(text)
    ? normalizeFileAddress(text)
    : (FILE_PATH.exec(`/${text}`)?.[1] ?? text)
