// Maximum length and number of request parts per format, as its vendor documents them (November 2026).

/** The limits of a format; undefined means unlimited. */
export interface Sizes {
  /** Names of tools: maximum length and allowed characters. */
  name: { most: number; letters: RegExp; first?: RegExp }
  /** Maximum number of tools. */
  tools?: number
  /** Maximum nesting of objects in an enforced schema. */
  schema_levels?: number
  stop?: number
  /** Maximum length of the user id, in characters. */
  user?: number
  /** Maximum number of pairs, and length of a key and of a value. */
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
