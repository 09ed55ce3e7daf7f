// Searches names by parts of them and ranks the matches.

/** Returns the rank, lower is better; undefined if it does not match. All words of the search must match. */
export function rankName(name: string, query: string): number | undefined {
  const text = name.toLowerCase()
  let sum = 0
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const rank = rankOfWord(text, word)
    if (rank === undefined) return undefined
    sum += rank
  }
  return sum
}

/** Ranks a prefix first, then the prefix of a part, then a substring, then the letters in their order. */
function rankOfWord(text: string, word: string): number | undefined {
  if (text === word) return 0
  const at = text.indexOf(word)
  if (at === 0) return 1
  if (at > 0) return /[\w]/.test(text[at - 1]!) && !text.includes(`-${word}`) ? 3 : 2
  const gaps = gapsBetween(text, word)
  return gaps === undefined ? undefined : 4 + gaps
}

/** Returns the number of letters between those of the word; undefined if some are missing. */
function gapsBetween(text: string, word: string): number | undefined {
  let [first, at] = [-1, -1]
  for (const letter of word) {
    at = text.indexOf(letter, at + 1)
    if (at < 0) return undefined
    if (first < 0) first = at
  }
  return at - first + 1 - word.length
}

/** Returns the matches, best first; equal ones keep their order. */
export function rankMatches<T>(all: readonly T[], nameOf: (one: T) => string, query: string): T[] {
  if (query.trim() === '') return [...all]
  return all
    .flatMap((one) => {
      const rank = rankName(nameOf(one), query)
      return rank === undefined ? [] : [{ one, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}
