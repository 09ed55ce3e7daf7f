// Fits a request into the size limits of a format: tool names that are too long get unique shorter ones, and excess
// parts are removed and reported.
import type { Message, ModelRequest, Tool } from '../model-request.ts'
import { asObject, type JsonObject } from '../json/json-value.ts'
import { hashTexts } from '../json/text-hash.ts'

// Maximum length and number of request parts per format, as its vendor documents them (November 2026).

/** The limits of a format; undefined means unlimited. */
interface Sizes {
  /** Names of tools: maximum length and allowed characters. */
  name: { most: number; letters: RegExp; first?: RegExp }
  /** Maximum number of tools. */
  tools?: number
  /** Maximum nesting of objects in an enforced schema. */
  schema_levels?: number
  stop?: number
  /** Maximum length of the user id, in characters. */
  user?: number
  /** Maximum number of pairs, and length of a key and of a value. */
  metadata?: { pairs: number; key: number; value: number }
}

const WORD = /[\w-]/

/** https://platform.openai.com/docs/api-reference/chat/create, /docs/guides/structured-outputs#supported-schemas */
const openai: Sizes = {
  name: { most: 64, letters: WORD },
  tools: 128,
  schema_levels: 10,
  stop: 4,
  user: 64,
  metadata: { pairs: 16, key: 64, value: 512 },
}

export const REQUEST_SIZE_LIMITS: Readonly<Record<string, Sizes>> = {
  'openai-chat': openai,
  'openai-responses': openai,
  // https://platform.claude.com/docs/en/api/messages
  'anthropic-messages': { name: { most: 128, letters: WORD }, user: 256 },
  // https://ai.google.dev/api/caching#FunctionDeclaration, /api/generate-content#GenerationConfig
  'gemini-generate': { name: { most: 128, letters: /[\w.:-]/, first: /[A-Za-z_]/ }, tools: 512, stop: 5 },
}

/** The caller's tool names by the names that a provider receives: only those that differ. */
export type ToolNames = ReadonlyMap<string, string>

export interface Sized {
  request: ModelRequest
  /** undefined if no name had to change. */
  tool_names?: ToolNames
  lost: string[]
}

/** Returns the request within the format's limits; the same object if it fits. */
export function fitRequestSizes(request: ModelRequest, format: string): Sized {
  const most = Object.hasOwn(REQUEST_SIZE_LIMITS, format) ? REQUEST_SIZE_LIMITS[format] : undefined
  if (!most) return { request, lost: [] }
  const lost: string[] = []
  const fit = { ...request }
  let changed = false
  const set = (change: Partial<ModelRequest>) => {
    Object.assign(fit, change)
    changed = true
  }
  const tools = fewerTools(request, most.tools)
  if (tools !== request.tools) {
    set({ tools })
    lost.push('tools')
  }
  if (most.stop !== undefined && request.stop && request.stop.length > most.stop) {
    set({ stop: request.stop.slice(0, most.stop) })
    lost.push('stop')
  }
  if (most.user !== undefined && request.user !== undefined && request.user.length > most.user) {
    set({ user: shortenWithHash(request.user, most.user) })
  }
  const metadata = most.metadata && fewerPairs(request.extra.metadata, most.metadata)
  if (metadata) {
    set({ extra: { ...request.extra, metadata } })
    lost.push('metadata')
  }
  const given = givenNames(fit, most.name)
  if (given.size > 0) set(renamed(fit, given))
  const tool_names = new Map([...given].map(([own, short]) => [short, own]))
  return { request: changed ? fit : request, lost, ...(tool_names.size > 0 ? { tool_names } : {}) }
}

/** Returns the tools within the limit: the forced one and those called before take precedence. */
function fewerTools({ tools, tool_choice, messages }: ModelRequest, most = Infinity): Tool[] | undefined {
  if (!tools || tools.length <= most) return tools
  const needed = new Set(messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ name }) => name)))
  if (typeof tool_choice === 'object') needed.add(tool_choice.name)
  const first = tools.filter(({ name }) => needed.has(name)).slice(0, most)
  const others = tools.filter(({ name }) => !needed.has(name)).slice(0, most - first.length)
  const accepted = new Set([...first, ...others])
  return tools.filter((tool) => accepted.has(tool))
}

/** Returns the pairs within the limits; undefined if all of them are. */
function fewerPairs(metadata: unknown, most: NonNullable<Sizes['metadata']>): JsonObject | undefined {
  const pairs = Object.entries(asObject(metadata) ?? {})
  const short = pairs.filter(([key, value]) => key.length <= most.key && String(value).length <= most.value)
  const accepted = short.slice(0, most.pairs)
  return accepted.length < pairs.length ? Object.fromEntries(accepted) : undefined
}

/** Returns unique names for those that must change. */
function givenNames(request: ModelRequest, { most, letters, first }: Sizes['name']): Map<string, string> {
  const names = new Set([
    ...(request.tools ?? []).map(({ name }) => name),
    ...request.messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ name }) => name)),
    ...(typeof request.tool_choice === 'object' ? [request.tool_choice.name] : []),
  ])
  const given = new Map<string, string>()
  const taken = new Set(names)
  for (const name of names) {
    const legal = [...name].map((letter) => (letters.test(letter) ? letter : '_')).join('')
    const whole = first && !first.test(legal[0] ?? '_') ? `_${legal}` : legal
    if (whole === name && name.length <= most) continue
    const short = whole.length > most || taken.has(whole) ? shortenWithHash(whole, most, name) : whole
    taken.add(short)
    given.set(name, short)
  }
  given.delete('')
  return given
}

function renamed({ tools, tool_choice, messages }: ModelRequest, given: ToolNames): Partial<ModelRequest> {
  const named = <T extends { name: string }>(one: T): T => ({ ...one, name: given.get(one.name) ?? one.name })
  const message = (one: Message): Message => ({
    ...one,
    ...(one.tool_calls ? { tool_calls: one.tool_calls.map(named) } : {}),
    ...(one.role === 'tool' && one.name !== undefined ? { name: given.get(one.name) ?? one.name } : {}),
  })
  return {
    messages: messages.map(message),
    ...(tools ? { tools: tools.map(named) } : {}),
    ...(typeof tool_choice === 'object' ? { tool_choice: named(tool_choice) } : {}),
  }
}

// Shortens names that exceed a limit, without collisions.

const HASH_BASE = 36
const HASH_DIGITS = 8

/** Returns the start of a name and a hash of all of it, or of `whole`; deterministic. */
export function shortenWithHash(name: string, most: number, whole = name): string {
  const digits = hashTexts(whole).toString(HASH_BASE).slice(-HASH_DIGITS)
  return `${name.slice(0, most - digits.length - 1)}_${digits}`
}
