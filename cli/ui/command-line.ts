// A command line of weir as it is typed behind `:`, and as it is shown before it is run.

/** The words of a command line, as a shell would part them. */
export function wordsIn(text: string): string[] {
  const parts = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  return parts.map((part) =>
    part.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  )
}

/** The line that a shell would take these words from. */
export const lineOf = (words: readonly string[]): string => words.map(quoted).join(' ')

const quoted = (word: string) => (/^[\w@%+=:,./•-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
