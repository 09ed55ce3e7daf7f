// A row of the table of model families.

/** How hard to think, from least to most. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number]

/** Fields that some models refuse, each with the value it has where it is not said: that is no loss. */
export const USUAL = {
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
export type Refusable = keyof typeof USUAL

/** How a server handles thoughts in earlier turns: it refuses them, takes them, or wants them in every turn with calls. */
export type ThoughtsWord = 'refuses' | 'takes' | 'wants'

/** One thing that is so of some models. */
export interface FamilyRow {
  /** Its models, by the vendor's names. */
  models: Pick<RegExp, 'test'>
  /** The formats in which it is so; all of them where none is named. */
  at?: readonly string[]
  /** Refused, whatever they say. */
  refuses?: readonly Refusable[]
  /** Refused while the model thinks: with any effort but `none`. */
  thinking?: readonly Refusable[]
  /** What it calls the largest answer. */
  limit?: 'max_completion_tokens'
  /** Function tools are refused while the model thinks: Responses takes them. */
  tools?: 'responses'
  /** The provider's own search is refused: Responses takes it, or nobody. */
  search?: 'responses' | 'none'
  /** The efforts that are taken, of `EFFORTS`; empty where the model is not to be told how hard to think. */
  efforts?: string
  /** How servers of this family handle thoughts in earlier turns. The default is that they refuse them. */
  thoughts?: ThoughtsWord
  /** The system's words are one message at the beginning: the request is refused if another follows. */
  system?: 'first'
  /** How hard it thinks where nobody says so. */
  effort?: Effort
}
