// Finding names by part of them: what fits best comes first.

/** Lower is better; undefined where it does not fit. All words of what is looked for must be found. */
export function rankOf(name: string, wanted: string): number | undefined {
  const text = name.toLowerCase()
  let sum = 0
  for (const word of wanted.toLowerCase().split(/\s+/).filter(Boolean)) {
    const rank = rankOfWord(text, word)
    if (rank === undefined) return undefined
    sum += rank
  }
  return sum
}

/** What begins with it, what has a part that begins with it, what contains it, and what has its letters in their order. */
function rankOfWord(text: string, word: string): number | undefined {
  if (text === word) return 0
  const at = text.indexOf(word)
  if (at === 0) return 1
  if (at > 0) return /[\w]/.test(text[at - 1]!) && !text.includes(`-${word}`) ? 3 : 2
  const gaps = gapsBetween(text, word)
  return gaps === undefined ? undefined : 4 + gaps
}

/** Letters that stand between those of the word; undefined where they are not all there. */
function gapsBetween(text: string, word: string): number | undefined {
  let [first, at] = [-1, -1]
  for (const letter of word) {
    at = text.indexOf(letter, at + 1)
    if (at < 0) return undefined
    if (first < 0) first = at
  }
  return at - first + 1 - word.length
}

/** Those that fit, best first; of equals the order stays. */
export function rankMatches<T>(all: readonly T[], nameOf: (one: T) => string, wanted: string): T[] {
  if (wanted.trim() === '') return [...all]
  return all
    .flatMap((one) => {
      const rank = rankOf(nameOf(one), wanted)
      return rank === undefined ? [] : [{ one, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}
