// Sets how much a Gemini model thinks: levels from the third generation on, a token budget before it.
import type { ModelNameSuffixes } from '../model-request.ts'
import { asText, type JsonObject } from '../json/json-value.ts'
import { toReasoningBudget, toReasoningEffort } from '../reasoning/reasoning.ts'
import { getEitherSpelling, parseNumberOrText } from './fields.ts'

type Thinking = Pick<ModelNameSuffixes, 'reasoning_effort' | 'reasoning_budget'>

const levels = /^gemini-(?:[3-9]|\d\d|flash-latest|pro-latest|flash-lite-latest)/
/** Flash models with the level `MINIMAL`; from 3.7 on none has it (Google's guides to 3.7 and 3.8 Flash, 29 November 2026). */
const minimal = /^gemini-3(?:\.[0-6])?-flash/
const budgets = /^gemini-2\.5|^gemini-robotics/

/** Minimum and maximum thinking tokens, by family (Google's guide to thinking). */
const ranges: readonly [family: RegExp, least: number, most: number][] = [
  [/^gemini-2\.5-pro/, 128, 32_768],
  [/^gemini-2\.5-flash-lite/, 512, 24_576],
  [/./, 0, 24_576],
]

/** Clamps a budget to the model's range; -1 leaves it to the model, 0 disables thinking where possible. */
export function clampBudget(model: string, budget: number): number {
  if (budget < 0) return -1
  const [, least, most] = ranges.find(([family]) => family.test(model)) ?? [/./, 0, 24_576]
  if (budget === 0 && least !== 128) return 0
  return Math.max(least, Math.min(most, Math.floor(budget)))
}

export function readThinking(config: unknown): Thinking {
  const level = asText(getEitherSpelling(config, 'thinkingLevel'))
  const budget = parseNumberOrText(getEitherSpelling(config, 'thinkingBudget'))
  if (level !== undefined && level !== 'THINKING_LEVEL_UNSPECIFIED') return { reasoning_effort: level.toLowerCase() }
  if (budget !== undefined) return { reasoning_budget: budget }
  return getEitherSpelling(config, 'includeThoughts') === true ? { reasoning_budget: -1 } : {}
}

/** Writes the thinking configuration; undefined if none is requested or the model has none. */
export function writeThinking(model: string, thinking: Thinking): JsonObject | undefined {
  const { reasoning_effort: effort, reasoning_budget: given } = thinking
  if (levels.test(model)) {
    if (given === -1 && effort === undefined) return { includeThoughts: true }
    const level = toLevel(model, effort ?? (given === undefined ? undefined : toReasoningEffort(given)))
    if (level === undefined) return undefined
    return isOff(thinking) ? { thinkingLevel: level } : { thinkingLevel: level, includeThoughts: true }
  }
  if (!budgets.test(model)) return undefined
  const budget = given ?? (effort === undefined ? undefined : toReasoningBudget(effort))
  if (budget === undefined) return undefined
  const thinkingBudget = clampBudget(model, budget)
  return isOff(thinking) ? { thinkingBudget } : { thinkingBudget, includeThoughts: true }
}

const isOff = ({ reasoning_effort: effort, reasoning_budget: budget }: Thinking): boolean =>
  effort === 'none' || (effort === undefined && budget === 0)

/** Returns the nearest level of the model. Thinking cannot be disabled. */
function toLevel(model: string, effort: string | undefined): string | undefined {
  switch (effort) {
    case 'none':
    case 'minimal':
      return minimal.test(model) ? 'MINIMAL' : 'LOW'
    case 'low':
      return 'LOW'
    case 'medium':
      return model.startsWith('gemini-3-pro') ? 'HIGH' : 'MEDIUM'
    case 'high':
    case 'xhigh':
    case 'max':
      return 'HIGH'
    default:
      return undefined
  }
}
