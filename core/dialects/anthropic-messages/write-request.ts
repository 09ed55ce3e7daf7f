// Converts a request from the neutral form to a message request, and lists the fields that are lost.
import { type CacheUse, writeCache, type ModelRequest, type WrittenRequest, type Tool } from '../model-request.ts'
import { asObject, type JsonObject, asList, getMember } from '../json/json-value.ts'
import { FORMAT_NAME } from './request.ts'
import {
  buildThinkingFields,
  getDefaultTokenLimit,
  isThinkingDisabled,
  parseClaudeVersion,
  refusesForcedTool,
  takesSystemTurns,
  usesReasoningEffort,
} from './thinking.ts'
import { writeToolDeclarations, type ReportLostField } from './tools.ts'
import { writeMessageTurns, type WrittenTurn } from './write-blocks.ts'
import { normalizeParameters } from '../json-schema/parameters.ts'
import { formatInWords } from '../json-schema/words.ts'
import { fitSchemaToSubset, type SchemaSubset } from '../json-schema/write.ts'
import { writeObject } from '../json/json-bytes.ts'

/** Fields that this format does not support. */
const UNSUPPORTED = ['seed', 'logprobs', 'top_logprobs', 'presence_penalty', 'frequency_penalty'] as const

/** The first version that refuses temperature and top_p together. */
const ONE_OF_TWO = 401

/** Writes the request. Undefined members vanish in JSON. */
export function writeModelRequest(request: ModelRequest, cache: CacheUse = 'never'): WrittenRequest {
  const { dialect, model, stream, extra, stop, user } = request
  const own = dialect === FORMAT_NAME
  const dropped = new Set<string>()
  const drop: ReportLostField = (field) => void dropped.add(field)
  if (!own) Object.keys(extra).forEach(drop)
  for (const field of UNSUPPORTED) if (request[field] !== undefined) drop(field)
  if ((request.n ?? 1) > 1) drop('n')
  if (request.modalities?.some((kind) => kind !== 'text')) drop('modalities')

  const { thinking, effort, max_tokens } = writeThinking(request, drop)
  const stopSequences = stop?.filter((text) => text.trim() !== '')
  if (stopSequences?.length !== stop?.length) drop('stop')
  const { tools, format, line } = own ? getOwnSchemas(request) : convertSchemas(request, drop)
  const output_config = { ...(effort ? { effort } : {}), ...(format ? { format } : {}) }
  const takesTurns = request.system_first !== true && takesSystemTurns(model)
  const written = {
    ...writeMessageTurns(request.messages, own, takesTurns, drop),
    ...writeToolDeclarations({ ...request, tools }, own, drop),
  }
  const prompt = own ? written : addCacheMarks(written, request, cache, () => drop('cache_control'))
  const body = {
    ...(own ? extra : {}),
    model,
    max_tokens,
    stream,
    ...(line === undefined ? prompt : withLine(prompt, line)),
    ...writeSampling(request, thinking !== undefined && thinking.type !== 'disabled', drop),
    stop_sequences: stopSequences?.length ? stopSequences : undefined,
    metadata: user === undefined ? undefined : { user_id: user },
    service_tier: writeTier(request.service_tier, drop),
    thinking,
    output_config: Object.keys(output_config).length > 0 ? output_config : undefined,
  }
  return { body: writeObject(body), dropped: [...dropped] }
}

function writeThinking(request: ModelRequest, drop: ReportLostField): ReturnType<typeof buildThinkingFields> & object {
  const { model, reasoning_effort, reasoning_budget, max_tokens = getDefaultTokenLimit(model) } = request
  if (reasoning_effort === undefined && reasoning_budget === undefined) return { max_tokens }
  const fields = buildThinkingFields(model, request, max_tokens)
  if (fields && (isThinkingDisabled(request) || mayThink(request))) return fields
  drop(reasoning_effort === undefined ? 'reasoning_budget' : 'reasoning_effort')
  return { max_tokens }
}

/**
 * May the model think? Not if a tool call is forced; nor, for older models, between tool calls whose reasoning is
 * missing.
 */
function mayThink({ model, tool_choice, messages }: ModelRequest): boolean {
  if ((tool_choice === 'required' || typeof tool_choice === 'object') && !refusesForcedTool(model)) return false
  if (usesReasoningEffort(model) || messages.at(-1)?.role !== 'tool') return true
  const calling = messages.findLast(({ role }) => role === 'assistant')
  return calling?.reasoning?.some(({ signature, redacted }) => signature || redacted) ?? false
}

/**
 * A model that thinks takes hardly any sampling parameters; most models take one of two, the newest none (`families`).
 */
function writeSampling(request: ModelRequest, thinks: boolean, drop: ReportLostField): JsonObject {
  const { model, temperature, top_p, top_k } = request
  const version = parseClaudeVersion(model)
  const refused = thinks
  const keep = (field: string, value: number | undefined, usual?: number): number | undefined => {
    if (value === undefined || !refused) return value
    if (value !== usual) drop(field)
    return undefined
  }
  const warmth = keep('temperature', temperature, 1)
  if (warmth !== undefined && warmth > 1) drop('temperature')
  const both = version !== undefined && version >= ONE_OF_TWO && warmth !== undefined
  if (both && top_p !== undefined && top_p !== 1) drop('top_p')
  return {
    temperature: warmth === undefined ? undefined : Math.min(warmth, 1),
    top_p: both ? undefined : keep('top_p', top_p, 1),
    top_k: keep('top_k', top_k),
  }
}

/** Added after the cache breakpoints, so that calls without a response format can use the cached system prompt. */
function withLine<P extends CacheablePrompt>(prompt: P, text: string): P {
  const { system = [] } = prompt
  const promptBlocks = typeof system === 'string' ? [{ type: 'text', text: system }] : system
  return { ...prompt, system: [...promptBlocks, { type: 'text', text }] }
}

function writeTier(tier: string | undefined, drop: ReportLostField): string | undefined {
  if (tier === undefined || tier === 'auto') return tier
  if (tier === 'default' || tier === 'standard_only') return 'standard_only'
  drop('service_tier')
  return undefined
}

// Places cache breakpoints in a translated prompt: callers of other formats cannot set them, and without them every
// turn of an agent pays for its whole history again. A prefix shorter than the model's minimum (512 to 4096 tokens) is
// neither written nor charged, so short prompts need no exception.

/** Anthropic refuses more. */
const MOST_MARKS = 4
/** The first model version whose prompts are cached on every cloud. */
const CACHES = 307

/** The parts of a prompt, in the order in which they are cached. */
interface CacheablePrompt {
  tools?: JsonObject[]
  system?: string | JsonObject[]
  messages: WrittenTurn[]
}

/**
 * Adds breakpoints to the last tool, the end of the system prompt and the last two user turns: the next call reads at
 * the last one, and this call reads at the one before, which the previous call wrote, however many blocks came in
 * between. The caller's own breakpoints stay and count first; those above four are dropped.
 */
function addCacheMarks<P extends CacheablePrompt>(
  prompt: P,
  request: ModelRequest,
  use: CacheUse,
  drop: () => void,
): P {
  const system = typeof prompt.system === 'string' ? [{ type: 'text', text: prompt.system }] : prompt.system
  const blocks = [...(prompt.tools ?? []), ...(system ?? []), ...prompt.messages.flatMap(({ content }) => content)]
  const own = blocks.filter(isMarked)
  for (const block of own.slice(0, -MOST_MARKS)) {
    delete block.cache_control
    drop()
  }
  const room = MOST_MARKS - own.length
  if (room <= 0 || !isWanted(request, use)) return prompt
  const users = prompt.messages.filter(({ role }) => role === 'user')
  const [last, before] = [users.at(-1), users.at(-2)].map((turn) => turn?.content.at(-1))
  // A one-hour breakpoint may not follow a shorter one.
  const free = blocks.slice(blocks.findLastIndex(lasts) + 1).filter((block) => !isMarked(block))
  const places = [last, system?.at(-1), before, prompt.tools?.findLast((tool) => tool.defer_loading !== true)]
  const taken = places.filter((block) => block !== undefined && free.includes(block)).slice(0, room)
  for (const block of taken) Object.assign(block as JsonObject, writeCache('5m'))
  return system?.some(isMarked) ? { ...prompt, system } : prompt
}

const isMarked = (block: JsonObject): boolean => block.cache_control !== undefined
const lasts = (block: JsonObject): boolean => asObject(block.cache_control)?.ttl === '1h'

/** Writing a cache costs extra, so it pays only where a second call is likely. */
function isWanted({ model, messages, tools, tool_choice }: ModelRequest, use: CacheUse): boolean {
  if (use === 'never' || (parseClaudeVersion(model) ?? 0) < CACHES) return false
  if (use === 'always' || messages.some(({ role }) => role === 'assistant')) return true
  // A caller who forces one tool wants its arguments as the answer, so no second call is likely.
  return Boolean(tools?.length) && typeof tool_choice !== 'object'
}

// JSON schemas that Claude enforces, and how many of them one request may have ("Structured outputs", November 2026).

const formats = new Set<unknown>('date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '))

const subset: SchemaSubset = {
  closed: true,
  complete: false,
  recursive: false,
  anything: false,
  tuples: false,
  supports: (word, value) =>
    word === 'format' ? formats.has(value) : word === 'minItems' && (value === 0 || value === 1),
  supportsValue: (value) => value === null || typeof value !== 'object',
}

/** The first version that enforces schemas. */
const KEEPS = 405
/** Limits of one request, over all its schemas. */
const MOST_OPTIONAL = 24
const MOST_UNIONS = 16
const MOST_TOOLS = 20

/** The schemas of a request in this format. */
interface Schemas {
  tools?: Tool[]
  format?: JsonObject
  /** An instruction to the model that replaces a response format. */
  line?: string
}

/** Returns the caller's own schemas unchanged. */
const getOwnSchemas = ({ tools, response_format }: ModelRequest): Schemas => ({
  ...(tools ? { tools } : {}),
  ...(response_format ? { format: { type: 'json_schema', schema: response_format.schema } } : {}),
})

/**
 * Converts the schemas of another format: enforced if the model supports it and they can be expressed, otherwise as an
 * instruction.
 */
function convertSchemas(request: ModelRequest, drop: (field: string) => void): Schemas {
  const { model, messages, tools, response_format: format } = request
  const keep = schemaKeeper(model)
  // An answer with a prefill cannot follow a schema.
  const isPrefilled = messages.at(-1)?.role === 'assistant'
  const schema = format?.schema === undefined || isPrefilled ? undefined : keep(format.schema)
  if (format && !schema) drop('response_format')
  let strict = 0
  const written = tools?.map((tool): Tool => {
    const { strict: isStrict, ...rest } = tool
    const parameters = normalizeParameters(tool.parameters)
    const exact = isStrict && strict < MOST_TOOLS ? keep(parameters) : undefined
    if (isStrict && !exact) drop('tools.strict')
    if (exact) strict++
    return exact ? { ...rest, parameters: exact, strict: true } : { ...rest, parameters }
  })
  return {
    ...(written ? { tools: written } : {}),
    ...(schema ? { format: { type: 'json_schema', schema } } : {}),
    ...(format && !schema ? { line: formatInWords(format) } : {}),
  }
}

/**
 * Returns a function that converts schemas to Claude's subset while the request has room for them, and returns
 * undefined for the others.
 */
function schemaKeeper(model: string): (schema: unknown) => JsonObject | undefined {
  const isSupported = (parseClaudeVersion(model) ?? KEEPS) >= KEEPS
  let optional = 0
  let unions = 0
  return (schema) => {
    const written = isSupported ? fitSchemaToSubset(schema, subset) : undefined
    if (!written) return undefined
    const [more, others] = measureSchema(written)
    if (optional + more > MOST_OPTIONAL || unions + others > MOST_UNIONS) return undefined
    optional += more
    unions += others
    return written
  }
}

/** Counts optional members and unions. */
function measureSchema(schema: JsonObject): [optional: number, unions: number] {
  const members = Object.values(asObject(schema.properties) ?? {})
  const required = asList(schema.required) ?? []
  const inner = [...members, ...(asList(schema.anyOf) ?? []), ...(schema.items ? [schema.items] : [])]
  return inner
    .map((one) => measureSchema(asObject(one) ?? {}))
    .reduce(
      ([optional, unions], [more, others]) => [optional + more, unions + others],
      [members.length - required.length, schema.anyOf || Array.isArray(getMember(schema, 'type')) ? 1 : 0],
    )
}
