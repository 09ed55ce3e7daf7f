// Parsing, completion and quoting of command lines typed after `:`.

/** Splits a command line into words, as a shell does. */
export function splitCommandLine(text: string): string[] {
  const parts = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  return parts.map((part) =>
    part.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  )
}

/** Splits the words of command lines that are joined by `&&`. */
export const splitAtAnd = (words: readonly string[]): string[][] =>
  words.reduce<string[][]>(
    (lines, word) => (word === '&&' ? [...lines, []] : [...lines.slice(0, -1), [...lines.at(-1)!, word]]),
    [[]],
  )

/** Quotes words as a shell command line. */
export const joinCommandWords = (words: readonly string[]): string => words.map(quote).join(' ')

const quote = (word: string) => (/^(?:&&|[\w@%+=:,./•-]+)$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** Returns the line continued as far as all candidates agree, and the candidates as a hint if there are several. */
export function completeLine(line: string, candidates: readonly string[]): { text: string; hint: string } {
  const at = line.search(/\S*$/)
  const word = line.slice(at)
  const fitting = [...new Set(candidates)].filter((one) => one.startsWith(word)).toSorted()
  if (fitting.length === 0) return { text: line, hint: '' }
  const [only] = fitting
  if (fitting.length === 1) return { text: `${line.slice(0, at)}${only} `, hint: '' }
  return { text: line.slice(0, at) + findCommonStart(fitting), hint: fitting.join('  ') }
}

const findCommonStart = (texts: readonly string[]): string =>
  texts.reduce((start, text) => {
    let length = 0
    while (length < start.length && start[length] === text[length]) length += 1
    return start.slice(0, length)
  })
