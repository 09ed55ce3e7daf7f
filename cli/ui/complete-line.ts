// Completion of the command line that is typed after `:`.

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
