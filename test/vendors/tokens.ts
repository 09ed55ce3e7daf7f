// How a scripted vendor counts: four characters a token, and a cache of the prompts that it has seen.

/** Tokens of a text; of anything else, of its JSON. */
export const tokensOf = (value: unknown): number =>
  Math.ceil((typeof value === 'string' ? value : JSON.stringify(value ?? '')).length / 4)

/** Shorter prompts are not kept. Unit: tokens. */
const SHORTEST_KEPT = 1024
/** Prompts are kept in pieces of so many tokens. */
const PIECE = 128

/** A vendor's own cache of prompts: the longest beginning that an earlier prompt had too is read from it. */
export function createPrefixCache() {
  const seen: string[] = []
  return {
    /** How much of a prompt was read from the cache; keeps the prompt. Unit: tokens. */
    read(prompt: string): number {
      const longest = Math.max(0, ...seen.map((other) => sameBeginning(other, prompt)))
      seen.push(prompt)
      const tokens = Math.floor(longest / 4 / PIECE) * PIECE
      return tokens < SHORTEST_KEPT ? 0 : tokens
    },
  }
}

/** Characters that both begin with. */
function sameBeginning(one: string, other: string): number {
  const end = Math.min(one.length, other.length)
  let at = 0
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}
