// How long and how many the parts of a request may be where a format is spoken, as its vendors document it (November 2026).

/** What a format takes at most; nothing is bounded where nothing is said. */
export interface Sizes {
  /** Names of tools: their length, and what they are made of. */
  name: { most: number; letters: RegExp; first?: RegExp }
  /** How many tools. */
  tools?: number
  /** Levels of objects in a schema that the model is to keep to. */
  schema_levels?: number
  stop?: number
  /** Letters of the name under which the vendor knows whoever asks. */
  user?: number
  /** Pairs, and letters of a key and of a value. */
  metadata?: { pairs: number; key: number; value: number }
}

const WORD = /[\w-]/

/** https://platform.openai.com/docs/api-reference/chat/create, /docs/guides/structured-outputs#supported-schemas */
const openai: Sizes = {
  name: { most: 64, letters: WORD },
  tools: 128,
  schema_levels: 10,
  stop: 4,
  user: 64,
  metadata: { pairs: 16, key: 64, value: 512 },
}

export const sizes: Readonly<Record<string, Sizes>> = {
  'openai-chat': openai,
  'openai-responses': openai,
  // https://platform.claude.com/docs/en/api/messages
  'anthropic-messages': { name: { most: 128, letters: WORD }, user: 256 },
  // https://ai.google.dev/api/caching#FunctionDeclaration, /api/generate-content#GenerationConfig
  'gemini-generate': { name: { most: 128, letters: /[\w.:-]/, first: /[A-Za-z_]/ }, tools: 512, stop: 5 },
}
