// The fields that a model of LiteLLM's list adds to its calls: they become the channel's `param_override`, or a suffix
// of the model's name. A channel that cannot carry one is disabled, because it would sell something else.
import { usesReasoningEffort } from '../../dialects/anthropic-messages/thinking.ts'
import { findModelFamily } from '../../dialects/reasoning/model-fit.ts'
import { asObject } from '../../dialects/json/json-value.ts'
import { fillTemplate, words, type Words } from '../../errors.ts'
import { parseNamedEffort } from '../../providers/effort-names.ts'
import { findProvider } from '../../providers/index.ts'
import type { RowChangeNotes } from '../cells.ts'

type CallParamFields = Record<string, unknown>

/** The result for the fields. */
export interface CallParams {
  /** The model's name upstream, with a suffix if that selects the effort. */
  model: string
  /** Fields of the body in the provider's format. */
  override: CallParamFields
  /** Fields that the channel cannot carry. */
  lost: string[]
}

const CLAUDE = /claude|anthropic/i
const EFFORT_SUFFIXES = ['low', 'medium', 'high', 'xhigh', 'max']

/** Reasoning budgets of LiteLLM's efforts, in tokens (its `DEFAULT_REASONING_EFFORT_*_THINKING_BUDGET`). */
const BUDGETS: Readonly<Record<string, number>> = { low: 1024, medium: 2048, high: 4096 }

/** OpenAI's names of fields by those of Anthropic's format. */
const AT_ANTHROPIC: Readonly<Record<string, string>> = {
  max_tokens: 'max_tokens',
  max_completion_tokens: 'max_tokens',
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  stop: 'stop_sequences',
  thinking: 'thinking',
}

/**
 * @param params the fields of LiteLLM's `litellm_params` that are part of the request
 * @param listedModels the names that the channel lists: a suffix has no effect on these
 */
export function placeCallParams(
  type: number,
  model: string,
  params: CallParamFields,
  listedModels: readonly string[],
): CallParams {
  const format = findFormat(type, model)
  const placed: CallParams = { model, override: {}, lost: [] }
  const { extra_body: extra, reasoning_effort: effort, ...fields } = params
  for (const [name, value] of Object.entries(fields)) {
    const key =
      format === 'openai' ? toOpenAiName(name, model) : format === 'anthropic' ? AT_ANTHROPIC[name] : undefined
    if (key === undefined) placed.lost.push(name)
    else placed.override[key] = key === 'stop_sequences' ? [value].flat() : value
  }
  if (effort !== undefined && !placeEffort(placed, type, format, effort, listedModels))
    placed.lost.push('reasoning_effort')
  if (extra !== undefined) {
    const body = asObject(extra)
    if (body && format !== 'other') Object.assign(placed.override, body)
    else placed.lost.push('extra_body')
  }
  return placed
}

/** Returns the format of the provider's body for this model; `other` if its fields are not on the top level. */
function findFormat(type: number, model: string): 'openai' | 'anthropic' | 'other' {
  const { chat } = findProvider(type) ?? {}
  // A provider without chat serves OpenAI's formats of other operations.
  const formats = chat?.map(({ dialect }) => dialect.name) ?? ['openai-chat']
  if (formats.includes('anthropic-messages') && (CLAUDE.test(model) || !formats.includes('openai-chat')))
    return 'anthropic'
  const isGoogle = formats.includes('gemini-generate') && !model.includes('/')
  return isGoogle || !formats.includes('openai-chat') ? 'other' : 'openai'
}

const toOpenAiName = (name: string, model: string): string =>
  name === 'max_tokens' || name === 'max_completion_tokens'
    ? (findModelFamily(model, 'openai-chat').limit ?? 'max_tokens')
    : name

/** Selects the effort by the model's name if the provider knows such names, because the client's own then counts. */
function placeEffort(
  placed: CallParams,
  type: number,
  format: 'openai' | 'anthropic' | 'other',
  effort: unknown,
  listedModels: readonly string[],
): boolean {
  if (typeof effort !== 'string') return false
  const named = `${placed.model}-${effort}`
  const isSuffix =
    format === 'openai'
      ? WITH_EFFORT_NAMES.includes(type) && parseNamedEffort(named) !== undefined
      : format === 'anthropic' && usesReasoningEffort(placed.model) && EFFORT_SUFFIXES.includes(effort)
  if (isSuffix && !listedModels.includes(named)) {
    placed.model = named
    return true
  }
  if (format === 'openai') {
    placed.override.reasoning_effort = effort
    return true
  }
  const budget_tokens = BUDGETS[effort]
  if (format !== 'anthropic' || budget_tokens === undefined) return false
  placed.override.thinking = { type: 'enabled', budget_tokens }
  return true
}

/** OpenAI, Azure and xAI. */
const WITH_EFFORT_NAMES = [1, 3, 48]

/** Reports what is fixed for every call. Returns why the channel cannot be used, if it cannot. */
export function describeCallParams({ override, lost }: CallParams, notes: RowChangeNotes): Words | undefined {
  const fixed = Object.keys(override).join(', ')
  if (fixed !== '')
    notes.push(
      fillTemplate(words('{fixed}: applies to every call here, also where the client sends its own value'), { fixed }),
    )
  if (lost.length === 0) return undefined
  const names = lost.join(', ')
  return fillTemplate(words('its calls need {names}, which this channel cannot add: it is switched off'), { names })
}
