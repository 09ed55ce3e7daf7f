// A row of the table of model families.

/** Reasoning efforts, from least to most. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number]

/** Fields that some models refuse, each with its default: dropping a default is no loss. */
export const REFUSABLE_DEFAULTS = {
  temperature: 1,
  top_p: 1,
  top_k: undefined,
  presence_penalty: 0,
  frequency_penalty: 0,
  n: 1,
  stop: undefined,
  logprobs: false,
  top_logprobs: 0,
  logit_bias: undefined,
} as const
export type RefusableField = keyof typeof REFUSABLE_DEFAULTS

/** How a server handles reasoning in earlier turns: refuses it, takes it, or requires it in every turn with calls. */
export type ReasoningRule = 'refuses' | 'takes' | 'wants'

/** A fact about some models. */
export interface FamilyRow {
  /** The models, by the vendor's names. */
  models: Pick<RegExp, 'test'>
  /** The formats that it applies to; all if undefined. */
  at?: readonly string[]
  /** Fields that are refused with any value. */
  refuses?: readonly RefusableField[]
  /** Fields that are refused while the model thinks: with any effort but `none`. */
  thinking?: readonly RefusableField[]
  /** Name of the field for the output limit. */
  limit?: 'max_completion_tokens'
  /** Function tools are refused while the model thinks; the Responses API takes them. */
  tools?: 'responses'
  /** The provider's own search is refused; `responses`: the Responses API takes it, `none`: no API does. */
  search?: 'responses' | 'none'
  /** The accepted efforts, from `EFFORTS`; empty if the model has no effort setting. */
  efforts?: string
  /** How servers of this family handle reasoning in earlier turns. By default they refuse it. */
  thoughts?: ReasoningRule
  /** The system prompt is one message at the start: the request is refused if another follows. */
  system?: 'first'
  /** The default effort. */
  effort?: ReasoningEffort
}
