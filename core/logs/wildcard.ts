// Patterns in which `%` matches any text and every other character itself, as in the lists' `LIKE`.

/** The same pattern with one `%` for each run of them: a longer run means nothing else, and costs a search more. */
export const foldWildcards = (pattern: string): string => pattern.replace(/%{2,}/g, '%')

/** Creates a matcher that takes time linear in text and pattern for any input. */
export function createWildcardMatcher(pattern: string): (text: string) => boolean {
  const [first = '', ...others] = foldWildcards(pattern).split('%')
  const last = others.pop()
  if (last === undefined) return (text) => text === first
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
    const end = text.length - last.length
    let at = first.length
    // The first place of each part is as good as any later one: it leaves the most for the parts behind it.
    for (const part of others) {
      const found = text.indexOf(part, at)
      if (found === -1 || found + part.length > end) return false
      at = found + part.length
    }
    return true
  }
}
