// What families of models refuse, or take under another name, at the door of each format: read from one table, for
// requests of every dialect. A model nobody has declared refuses nothing.
import { EFFORTS, type Effort, USUAL, type Refusable, type FamilyRow } from './family-row.ts'
import type { ModelRequest } from './model-request.ts'
import { families } from './families.data.ts'
import { toReasoningEffort } from './reasoning.ts'

/** All that is so of one model at one door. */
export interface Family extends Pick<FamilyRow, 'limit' | 'tools' | 'search' | 'effort' | 'thoughts' | 'system'> {
  refuses: ReadonlySet<Refusable>
  thinking: ReadonlySet<Refusable>
  /** Undefined where nobody has said which. */
  efforts?: readonly Effort[]
}

/**
 * Models seen lately, by format; callers name what they like, so their number is bounded. The table never changes, so that
 * this changes nothing but the time: 9 ns instead of 2 µs, two or three times a call.
 */
const knownAt = new Map<string, Map<string, Family>>()
const MOST_KNOWN = 2000

/** What a gateway or a cloud puts before a vendor's name. */
const bare = (model: string): string => model.slice(model.lastIndexOf('/') + 1).replace(/^(?:[a-z-]+\.)?openai\./, '')

/**
 * What is so of a model where this format is spoken.
 * @param asked tells the family where the model's own name is one that nobody knows, like that of a deployment
 */
export function findModelFamily(model: string, format: string, asked: string = model): Family {
  const key = asked === model ? model : `${model} ${asked}`
  const there = knownAt.get(format) ?? new Map<string, Family>()
  const found = there.get(key)
  if (found) return found
  if (there.size >= MOST_KNOWN) there.clear()
  const name = [model, asked].map(bare).find((one) => families.some(({ models }) => models.test(one))) ?? bare(model)
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

/** Does the model think by itself, so far as is known? */
export const canReason = ({ efforts }: Family): boolean => efforts !== undefined && efforts.length > 0

/** The fields that the family refuses of a request that asks for that effort. */
export function refusedFields(
  { refuses, thinking, effort: usual }: Family,
  effort: string | undefined = usual,
): readonly Refusable[] {
  return effort === 'none' ? [...refuses] : [...new Set([...refuses, ...thinking])]
}

/** The effort that comes nearest among those the family takes; undefined where it takes none. */
export function nearestEffort({ efforts }: Family, wanted: string): string | undefined {
  const at = EFFORTS.findIndex((word) => word === wanted)
  if (!efforts || at < 0) return wanted
  const distance = (word: Effort) => Math.abs(EFFORTS.indexOf(word) - at)
  return efforts.toSorted((one, other) => distance(one) - distance(other))[0]
}

/** Is the field's value what the model does anyway? */
export const isUsual = (field: Refusable, value: unknown): boolean => value === undefined || value === USUAL[field]

/**
 * A translated request without what the model would refuse at that door, and the names of what it lost. Words of the
 * neutral form that mean nothing alone are left out too: every vendor refuses some of them.
 */
export function fitRequestToModel(request: ModelRequest, format: string): { request: ModelRequest; lost: string[] } {
  const family = findModelFamily(request.model, format, request.asked)
  const lost: string[] = []
  const fit: ModelRequest = { ...request }
  withoutEmpty(fit)
  fitEffort(fit, family, lost)
  const said: Partial<Record<Refusable, unknown>> = fit
  // How many of what nobody asked for: vendors refuse it.
  if (!fit.logprobs && !isUsual('top_logprobs', fit.top_logprobs)) lost.push('top_logprobs')
  if (!fit.logprobs) delete fit.top_logprobs
  for (const field of refusedFields(family, fit.reasoning_effort)) {
    if (!isUsual(field, said[field])) lost.push(field)
    delete said[field]
  }
  if (family.search && fit.hosted_tools?.some(({ name }) => name === SEARCH)) {
    fit.hosted_tools = fit.hosted_tools.filter(({ name }) => name !== SEARCH)
    lost.push(`tools.${SEARCH}`)
    withoutEmpty(fit)
  }
  fitChoice(fit, format, lost)
  return { request: fit, lost }
}

/**
 * A tool that is to be called has to be there: one that the provider runs is chosen as such, and no function is chosen that
 * nobody has declared.
 */
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
  const wanted = reasoning_effort ?? (reasoning_budget === undefined ? undefined : toReasoningEffort(reasoning_budget))
  if (wanted === undefined || !family.efforts) return
  const effort = nearestEffort(family, wanted)
  delete request.reasoning_budget
  delete request.reasoning_effort
  if (effort !== undefined) request.reasoning_effort = effort
  // Not to think is what those models do anyhow that are not to be told.
  else if (wanted !== 'none') lost.push('reasoning_effort')
}

/** Empty lists, and what speaks of tools where there are none. */
function withoutEmpty(request: ModelRequest): void {
  if (request.stop?.length === 0) delete request.stop
  if (request.tools?.length === 0) delete request.tools
  if (request.hosted_tools?.length === 0) delete request.hosted_tools
  if (request.tools || request.hosted_tools) return
  delete request.tool_choice
  delete request.parallel_tool_calls
}
