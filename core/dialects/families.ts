// The fields that model families refuse or take under another name, per format, read from one table for requests of
// every dialect. An unknown model refuses nothing.
import { EFFORTS, type Effort, USUAL, type Refusable, type FamilyRow } from './family-row.ts'
import type { ModelRequest } from './model-request.ts'
import { families } from './families.data.ts'
import { toReasoningEffort } from './reasoning.ts'

/** The facts about one model at one format. */
export interface Family extends Pick<FamilyRow, 'limit' | 'tools' | 'search' | 'effort' | 'thoughts' | 'system'> {
  refuses: ReadonlySet<Refusable>
  thinking: ReadonlySet<Refusable>
  /** undefined if the efforts are unknown. */
  efforts?: readonly Effort[]
}

/**
 * Recently used models, by format. Callers choose model names, so their number is bounded. The table never changes, so
 * this only saves time: 9 ns instead of 2 µs, two or three times a call.
 */
const knownAt = new Map<string, Map<string, Family>>()
const MOST_KNOWN = 2000

/** Removes the prefix that a gateway or a cloud puts before a vendor's model name. */
const stripVendorPrefix = (model: string): string =>
  model.slice(model.lastIndexOf('/') + 1).replace(/^(?:[a-z-]+\.)?openai\./, '')

/**
 * Returns the facts about a model in this format.
 * @param asked the caller's name, which identifies the family if the model's name is unknown, like that of a deployment
 */
export function findModelFamily(model: string, format: string, requestedModel: string = model): Family {
  const key = requestedModel === model ? model : `${model} ${requestedModel}`
  const there = knownAt.get(format) ?? new Map<string, Family>()
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

function joined(rows: readonly FamilyRow[]): Family {
  const hard = rows.find(({ efforts }) => efforts !== undefined)
  const efforts = hard?.efforts?.split(' ').filter((word): word is Effort => EFFORTS.some((one) => one === word))
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
export const canReason = ({ efforts }: Family): boolean => efforts !== undefined && efforts.length > 0

/** Returns the fields that the family refuses in a request with that effort. */
export function refusedFields(
  { refuses, thinking, effort: usual }: Family,
  effort: string | undefined = usual,
): readonly Refusable[] {
  return effort === 'none' ? [...refuses] : [...new Set([...refuses, ...thinking])]
}

/** Returns the nearest effort that the family takes; undefined if it takes none. */
export function nearestEffort({ efforts }: Family, requested: string): string | undefined {
  const at = EFFORTS.findIndex((word) => word === requested)
  if (!efforts || at < 0) return requested
  const distance = (word: Effort) => Math.abs(EFFORTS.indexOf(word) - at)
  return efforts.toSorted((one, other) => distance(one) - distance(other))[0]
}

/** Is the field's value the model's default? */
export const isUsual = (field: Refusable, value: unknown): boolean => value === undefined || value === USUAL[field]

/**
 * Returns a translated request without the fields that the model would refuse in this format, and the names of the lost
 * fields. Neutral fields without a meaning alone are dropped too: every vendor refuses some of them.
 */
export function fitRequestToModel(request: ModelRequest, format: string): { request: ModelRequest; lost: string[] } {
  const family = findModelFamily(request.model, format, request.asked)
  const lost: string[] = []
  const fit: ModelRequest = { ...request }
  dropEmpty(fit)
  fitEffort(fit, family, lost)
  const fields: Partial<Record<Refusable, unknown>> = fit
  // A number of logprobs without `logprobs`: vendors refuse it.
  if (!fit.logprobs && !isUsual('top_logprobs', fit.top_logprobs)) lost.push('top_logprobs')
  if (!fit.logprobs) delete fit.top_logprobs
  for (const field of refusedFields(family, fit.reasoning_effort)) {
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

function fitEffort(request: ModelRequest, family: Family, lost: string[]): void {
  const { reasoning_effort, reasoning_budget } = request
  const requested =
    reasoning_effort ?? (reasoning_budget === undefined ? undefined : toReasoningEffort(reasoning_budget))
  if (requested === undefined || !family.efforts) return
  const effort = nearestEffort(family, requested)
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
