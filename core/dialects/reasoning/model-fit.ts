// The fields that model families refuse or take under another name, per format, read from one table for requests of
// every dialect. An unknown model refuses nothing.
import { families } from './families.data.ts'
import type { ReasoningEffort, FamilyRow, RefusableField } from './family-row.ts'
import { REASONING_EFFORTS, REFUSABLE_DEFAULTS } from './family-row.ts'
import { toCamelCase } from '../gemini-generate/fields.ts'
import { readTopMembers } from '../json/json-bytes.ts'
import { asObject, asText, getMember, type JsonObject } from '../json/json-value.ts'
import type { ModelRequest } from '../model-request.ts'
import { toReasoningEffort } from './reasoning.ts'

/** The facts about one model at one format. */
export interface ModelFamily extends Pick<FamilyRow, 'limit' | 'tools' | 'search' | 'effort' | 'thoughts' | 'system'> {
  refuses: ReadonlySet<RefusableField>
  thinking: ReadonlySet<RefusableField>
  /** undefined if the efforts are unknown. */
  efforts?: readonly ReasoningEffort[]
}

/**
 * Recently used models, by format. Callers choose model names, so their number is bounded. The table never changes, so
 * this only saves time: 9 ns instead of 2 µs, two or three times a call.
 */
const knownAt = new Map<string, Map<string, ModelFamily>>()
const MOST_KNOWN = 2000

/** Removes the prefix that a gateway or a cloud puts before a vendor's model name. */
const stripVendorPrefix = (model: string): string =>
  model.slice(model.lastIndexOf('/') + 1).replace(/^(?:[a-z-]+\.)?openai\./, '')

/**
 * Returns the facts about a model in this format.
 * @param asked the caller's name, which identifies the family if the model's name is unknown, like that of a deployment
 */
export function findModelFamily(model: string, format: string, requestedModel: string = model): ModelFamily {
  const key = requestedModel === model ? model : `${model} ${requestedModel}`
  const there = knownAt.get(format) ?? new Map<string, ModelFamily>()
  const found = there.get(key)
  if (found) return found
  if (there.size >= MOST_KNOWN) there.clear()
  const name =
    [model, requestedModel].map(stripVendorPrefix).find((one) => families.some(({ models }) => models.test(one))) ??
    stripVendorPrefix(model)
  const rows = families.filter(({ models, at }) => models.test(name) && (at?.includes(format) ?? true))
  const family = joined(rows)
  knownAt.set(format, there.set(key, family))
  return family
}

function joined(rows: readonly FamilyRow[]): ModelFamily {
  const hard = rows.find(({ efforts }) => efforts !== undefined)
  const efforts = hard?.efforts
    ?.split(' ')
    .filter((word): word is ReasoningEffort => REASONING_EFFORTS.some((one) => one === word))
  return {
    refuses: new Set(rows.flatMap(({ refuses = [] }) => refuses)),
    thinking: new Set(rows.flatMap(({ thinking = [] }) => thinking)),
    limit: rows.find(({ limit }) => limit)?.limit,
    tools: rows.find(({ tools }) => tools)?.tools,
    search: rows.find(({ search }) => search)?.search,
    effort: hard?.effort,
    thoughts: rows.find(({ thoughts }) => thoughts)?.thoughts,
    system: rows.find(({ system }) => system)?.system,
    efforts,
  }
}

/** Does the model reason by default, as far as is known? */
export const canReason = ({ efforts }: ModelFamily): boolean => efforts !== undefined && efforts.length > 0

/** Returns the fields that the family refuses in a request with that effort. */
export function listRefusedFields(
  { refuses, thinking, effort: usual }: ModelFamily,
  effort: string | undefined = usual,
): readonly RefusableField[] {
  return effort === 'none' ? [...refuses] : [...new Set([...refuses, ...thinking])]
}

/** Returns the nearest effort that the family takes; undefined if it takes none. */
export function findNearestEffort({ efforts }: ModelFamily, requested: string): string | undefined {
  const at = REASONING_EFFORTS.findIndex((word) => word === requested)
  if (!efforts || at < 0) return requested
  const distance = (word: ReasoningEffort) => Math.abs(REASONING_EFFORTS.indexOf(word) - at)
  return efforts.toSorted((one, other) => distance(one) - distance(other))[0]
}

/** Is the field's value the model's default? */
export const isUsual = (field: RefusableField, value: unknown): boolean =>
  value === undefined || value === REFUSABLE_DEFAULTS[field]

/**
 * Returns a translated request without the fields that the model would refuse in this format, and the names of the lost
 * fields. Neutral fields without a meaning alone are dropped too: every vendor refuses some of them.
 */
export function fitRequestToModel(request: ModelRequest, format: string): { request: ModelRequest; lost: string[] } {
  const family = findModelFamily(request.model, format, request.requestedModel)
  const lost: string[] = []
  const fit: ModelRequest = { ...request }
  dropEmpty(fit)
  fitEffort(fit, family, lost)
  const fields: Partial<Record<RefusableField, unknown>> = fit
  // A number of logprobs without `logprobs`: vendors refuse it.
  if (!fit.logprobs && !isUsual('top_logprobs', fit.top_logprobs)) lost.push('top_logprobs')
  if (!fit.logprobs) delete fit.top_logprobs
  for (const field of listRefusedFields(family, fit.reasoning_effort)) {
    if (!isUsual(field, fields[field])) lost.push(field)
    delete fields[field]
  }
  if (family.search && fit.hosted_tools?.some(({ name }) => name === SEARCH)) {
    fit.hosted_tools = fit.hosted_tools.filter(({ name }) => name !== SEARCH)
    lost.push(`tools.${SEARCH}`)
    dropEmpty(fit)
  }
  fitChoice(fit, format, lost)
  return { request: fit, lost }
}

/** A forced tool must exist: a hosted tool is chosen as such, and a choice of an undeclared function is dropped. */
function fitChoice(request: ModelRequest, format: string, lost: string[]): void {
  const { tool_choice: choice, tools, hosted_tools } = request
  if (typeof choice !== 'object' || tools?.some(({ name }) => name === choice.name)) return
  const known = request.dialect === format || choice.name === SEARCH
  if (known && hosted_tools?.some(({ name }) => name === choice.name)) {
    request.tool_choice = { name: choice.name, hosted: true }
    return
  }
  delete request.tool_choice
  if (tools || hosted_tools) lost.push('tool_choice')
}

const SEARCH = 'web_search'

function fitEffort(request: ModelRequest, family: ModelFamily, lost: string[]): void {
  const { reasoning_effort, reasoning_budget } = request
  const requested =
    reasoning_effort ?? (reasoning_budget === undefined ? undefined : toReasoningEffort(reasoning_budget))
  if (requested === undefined || !family.efforts) return
  const effort = findNearestEffort(family, requested)
  delete request.reasoning_budget
  delete request.reasoning_effort
  if (effort !== undefined) request.reasoning_effort = effort
  // Models without an effort setting do not think, so `none` is no loss.
  else if (requested !== 'none') lost.push('reasoning_effort')
}

/** Removes empty lists, and tool options if there are no tools. */
function dropEmpty(request: ModelRequest): void {
  if (request.stop?.length === 0) delete request.stop
  if (request.tools?.length === 0) delete request.tools
  if (request.hosted_tools?.length === 0) delete request.hosted_tools
  if (request.tools || request.hosted_tools) return
  delete request.tool_choice
  delete request.parallel_tool_calls
}

// Patches a request that stays in its format, for channels with that option: removes the fields that the model would
// refuse.

/** Changes at the top level (null removes a field), and the names of the lost fields. */
export interface ModelPatch {
  override: JsonObject
  lost: string[]
}

const NOTHING: ModelPatch = { override: {}, lost: [] }

const CONFIG = 'generationConfig'

/** Returns the changes for a model. */
export function patchForModel(body: Uint8Array, format: string, model: string, requestedModel: string): ModelPatch {
  const family = findModelFamily(model, format, requestedModel)
  if (family.refuses.size + family.thinking.size === 0 && !family.efforts) return NOTHING
  return format === 'gemini-generate' ? mendedConfig(body, family) : mendedFields(body, family)
}

/** OpenAI's and Anthropic's formats have the same field names, at the top level. */
function mendedFields(body: Uint8Array, family: ModelFamily): ModelPatch {
  const names = ['reasoning_effort', 'reasoning', 'stop', ...family.refuses, ...family.thinking]
  const fields = readTopMembers(body, names)
  const override: JsonObject = {}
  const lost: string[] = []
  const effort = asText(fields.reasoning_effort) ?? asText(getMember(fields.reasoning, 'effort'))
  const taken = effort === undefined ? undefined : findNearestEffort(family, effort)
  if (taken !== effort) {
    if (taken === undefined) lost.push('reasoning_effort')
    if (asText(fields.reasoning_effort)) override.reasoning_effort = taken ?? null
    else override.reasoning = { ...asObject(fields.reasoning), effort: taken }
  }
  // No provider accepts an empty list of stop sequences.
  if (Array.isArray(fields.stop) && fields.stop.length === 0) override.stop = null
  for (const field of listRefusedFields(family, taken)) {
    if (!(field in fields)) continue
    override[field] = null
    if (isLoss(field, fields[field])) lost.push(field)
  }
  return { override, lost }
}

/** Google's fields are one level down, in either spelling. */
function mendedConfig(body: Uint8Array, family: ModelFamily): ModelPatch {
  const [key, config] = Object.entries(readTopMembers(body, [CONFIG, 'generation_config']))[0] ?? []
  const members = Object.entries(asObject(config) ?? {})
  const refused = new Map(listRefusedFields(family).map((field) => [GOOGLE[field] ?? toCamelCase(field), field]))
  const lost = members.flatMap(([name, value]) => {
    const field = refused.get(toCamelCase(name))
    return field && isLoss(field, value) ? [field] : []
  })
  const accepted = members.filter(([name]) => !refused.has(toCamelCase(name)))
  return key && accepted.length < members.length ? { override: { [key]: Object.fromEntries(accepted) }, lost } : NOTHING
}

/** Google's names of fields that differ. */
const GOOGLE: Partial<Record<RefusableField, string>> = {
  n: 'candidateCount',
  stop: 'stopSequences',
  logprobs: 'responseLogprobs',
  top_logprobs: 'logprobs',
}

const isLoss = (field: RefusableField, value: unknown): boolean =>
  value !== null && !isUsual(field, value) && !(Array.isArray(value) && value.length === 0)

// The models that are known to reason before they answer: most of them hide some of their reasoning, which is charged.

/** Models of vendors other than OpenAI that reason unless it is disabled. */
const THINKERS =
  /gemini-(?:2\.5|[3-9]|\d\d|(?:flash|flash-lite|pro)-latest)|deepseek-(?:r\d|reasoner|v4)|q[wv]q|thinking|reason|deep-research|grok-(?:3-mini|4|code|build)|magistral|kimi-k2\.[5-9]|glm-(?:4\.[5-9]|[5-9])|minimax-m\d|gpt-oss/i
const NON_REASONING = /non?-?(?:reasoning|thinking)/i

/** Does the model reason by default? `asked` is the caller's name for it. */
export const reasonsByDefault = (model: string, requestedModel: string = model): boolean =>
  canReason(findModelFamily(model, 'openai-responses', requestedModel)) ||
  [model, requestedModel].some((name) => THINKERS.test(name) && !NON_REASONING.test(name))
