// Sets how much Claude thinks: older models take a number of tokens, newer ones an effort. The model name decides
// which.
import type { ModelRequest } from '../model-request.ts'
import type { JsonObject } from '../json/json-value.ts'
import { toReasoningBudget, toReasoningEffort } from '../reasoning/reasoning.ts'
import { findModelFacts, type RefreshedFacts } from '../../models/model-facts.ts'

/**
 * Versions as major × 100 + minor: the first that thinks, the first that takes an effort, the first that takes no
 * sampling parameters.
 */
const THINKS = 307
const BY_EFFORT = 406
const WITHOUT_SAMPLING = 407
/** The first that accepts system messages inside a conversation. */
const WITH_SYSTEM_TURNS = 408
/**
 * The first version of each family that refuses to have thinking disabled or a tool forced (Anthropic's pages on what
 * is new in these models, 29 November 2026). Sonnet has a mode for thinking only between calls; the others always
 * think.
 */
const STRICT_FROM: readonly (readonly [family: RegExp, version: number])[] = [
  [/claude-(?:fable|mythos)/, 501],
  [/claude-(?:opus|sonnet)/, 505],
]
/** The smallest budget, and the smallest limit that leaves room for an answer after it, in tokens. */
const LEAST_BUDGET = 1024
const LEAST_LIMIT = 1280
/** Share of the limit that thinking may use; the rest is for the answer. */
const MOST_THINKING = 0.8

/**
 * Parses the version: 406 for `claude-opus-4-6`, 400 for `claude-sonnet-4-20250514`; undefined for models other than
 * Claude.
 */
export function parseClaudeVersion(model: string): number | undefined {
  if (/claude-(v?2|v1|instant)/.test(model)) return 200
  const named = /claude-(?:(\d)(?:[-.](\d))?-[a-z]|[a-z]+-(\d+)(?:[-.](\d{1,2}))?(?!\d))/.exec(model)
  if (!named) return undefined
  const [, major, minor, newMajor, newMinor] = named
  return Number(major ?? newMajor) * 100 + Number(minor ?? newMinor ?? 0)
}

/** Does the model take an effort and decide by itself how long to think? */
export const usesReasoningEffort = (model: string): boolean => (parseClaudeVersion(model) ?? 0) >= BY_EFFORT

/** Does the model refuse temperature, top_p and top_k? */
export const refusesSamplingFields = (model: string): boolean => (parseClaudeVersion(model) ?? 0) >= WITHOUT_SAMPLING

/** Does the model accept system messages inside a conversation? */
export const takesSystemTurns = (model: string): boolean => (parseClaudeVersion(model) ?? 0) >= WITH_SYSTEM_TURNS

/** Does the model refuse a forced tool and disabled thinking? */
export const refusesForcedTool = (model: string): boolean =>
  STRICT_FROM.some(([family, version]) => family.test(model) && (parseClaudeVersion(model) ?? 0) >= version)

export interface ThinkingFields {
  thinking?: JsonObject
  effort?: string
  /** Raised if the requested limit left no room to think. */
  max_tokens: number
}

type ReasoningFields = Pick<ModelRequest, 'reasoning_effort' | 'reasoning_budget'>

/** Returns the thinking fields of this format; undefined if the model has none. */
export function buildThinkingFields(
  model: string,
  words: ReasoningFields,
  max_tokens: number,
): ThinkingFields | undefined {
  const { reasoning_effort: effort, reasoning_budget: budget } = words
  if (isThinkingDisabled(words)) return withoutThinking(model, max_tokens)
  if (usesReasoningEffort(model)) return byEffort(model, words, max_tokens)
  if ((parseClaudeVersion(model) ?? THINKS) < THINKS) return undefined
  const limit = Math.max(max_tokens, LEAST_LIMIT)
  // An explicit budget only has to be below the limit; one derived from an effort leaves room for the answer.
  const given = budget !== undefined && budget > 0
  const requested = given
    ? Math.min(budget, limit - 1)
    : Math.min(toReasoningBudget(effort ?? 'medium') ?? 0, limit * MOST_THINKING)
  if (requested === 0) return undefined
  const budget_tokens = Math.max(LEAST_BUDGET, Math.floor(requested))
  return { thinking: { type: 'enabled', budget_tokens }, max_tokens: limit }
}

/** Did the caller disable thinking? */
export const isThinkingDisabled = ({ reasoning_effort: effort, reasoning_budget: budget }: ReasoningFields): boolean =>
  effort === 'none' || (effort === undefined && budget === 0)

/** Returns the least thinking that the model allows. */
function withoutThinking(model: string, max_tokens: number): ThinkingFields {
  if (!refusesForcedTool(model)) return { thinking: { type: 'disabled' }, max_tokens }
  return model.includes('sonnet') ? { thinking: { type: 'between_tools' }, max_tokens } : { effort: 'low', max_tokens }
}

/** Newer models omit their reasoning from the answer unless a summary is requested. */
function byEffort(model: string, { reasoning_effort, reasoning_budget }: ReasoningFields, max_tokens: number) {
  const thinking = { type: 'adaptive', display: 'summarized' }
  const effort = reasoning_effort ?? toReasoningEffort(reasoning_budget ?? -1)
  if (effort === undefined) return { thinking, max_tokens }
  const word = efforts[effort]
  if (word === undefined) return undefined
  return { thinking, effort: word === 'xhigh' && !refusesSamplingFields(model) ? 'high' : word, max_tokens }
}

const efforts: Record<string, string | undefined> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'max',
}

// The default output limit, used if neither the caller nor the operator sets one: this format requires a limit.

/** Limit for unknown models, in tokens. */
const OF_UNKNOWN = 8192
/** Factor by which a prompt may exceed its estimate. */
const MISCOUNT = 1.5

/**
 * Returns the model's own limit, in tokens. Models before 4.5 reject a limit that does not fit into their context after
 * the prompt, so long prompts leave less.
 * @param prompt estimated prompt tokens; 0 if unknown
 * @param refreshed model facts that operators have adopted
 */
export function getDefaultTokenLimit(model: string, prompt = 0, refreshed?: RefreshedFacts): number {
  const facts = findModelFacts(model, refreshed)
  if (!facts || facts.output === 0) return OF_UNKNOWN
  const room = Math.floor(facts.context - prompt * MISCOUNT)
  return Math.min(facts.output, Math.max(room, OF_UNKNOWN))
}
