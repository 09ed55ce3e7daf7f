// The fields that Anthropic's model families accept and refuse.

export interface Family {
  /** Longest answer. Unit: tokens. */
  output: number
  /** `temperature`, `top_p`, `top_k`: all, not two of the first, or their defaults only. */
  sampling: 'free' | 'one' | 'default'
  /** Ways to think. */
  thinking: readonly ('enabled' | 'adaptive')[]
  effort: boolean
  formats: boolean
  /** The last message may be the assistant's. */
  prefill: boolean
  /** Messages of the system may stand behind a user's. */
  turns: boolean
  /** The word for no thinking; none of models that always think. */
  off?: 'disabled' | 'between_tools' | undefined
  /** A tool may be forced. */
  forced: boolean
}

const OLD: Family = {
  output: 8192,
  sampling: 'free',
  thinking: [],
  effort: false,
  formats: false,
  prefill: true,
  turns: false,
  off: 'disabled',
  forced: true,
}
const FOUR: Family = { ...OLD, output: 64_000, thinking: ['enabled'] }
const ONE: Family = { ...FOUR, sampling: 'one', formats: true }
const SIX: Family = { ...ONE, output: 128_000, thinking: ['enabled', 'adaptive'], effort: true, prefill: false }
const NEW: Family = { ...SIX, sampling: 'default', thinking: ['adaptive'], turns: true }
const STRICT: Family = { ...NEW, off: undefined, forced: false }

/** The first that fits counts; a name that none fits is of the newest. */
const families: readonly (readonly [RegExp, Family])[] = [
  [/claude-3-(opus|haiku|sonnet)/, { ...OLD, output: 4096 }],
  [/claude-3-5/, OLD],
  [/claude-3-7/, FOUR],
  [/claude-opus-4-1/, { ...ONE, output: 32_000 }],
  [/claude-opus-4-5/, { ...ONE, effort: true }],
  [/claude-(sonnet|haiku)-4-5/, ONE],
  [/claude-(opus|sonnet)-4-6/, SIX],
  [/claude-opus-4-7/, { ...NEW, turns: false }],
  [/claude-opus-4-8/, NEW],
  [/claude-(?:opus-5-5|(?:fable|mythos)-5-\d)/, STRICT],
  [/claude-sonnet-5-5/, { ...STRICT, off: 'between_tools' }],
  [/claude-opus-4/, { ...FOUR, output: 32_000 }],
  [/claude-sonnet-4/, FOUR],
  [/./, NEW],
]

export const familyOf = (model: string): Family => families.find(([name]) => name.test(model))?.[1] as Family
