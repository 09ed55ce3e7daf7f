// Searches a chunk's text to avoid a parse: the hot path of every stream. Indexes are those of the bytes.

/**
 * Matches a chunk with more than text: usage, a finish reason, an error, audio. `null` and `""` do not count. Inside a
 * text the quotes are escaped, so model output cannot match. Alternatives of equal length speed up the search; another
 * key that ends in `reason` only costs a parse.
 */
export const MARK: RegExp = /(?:"usage|"error|"audio|reason)"(?! *: *(?:null|""))/g

const CR = '\r'

/** Is the frame one line of `data: {…}`? */
export function isChunk(text: string, start: number, end: number): boolean {
  if (!text.startsWith('data:', start)) return false
  let at = start + 5
  while (text[at] === ' ') at++
  if (text[at] !== '{') return false
  const line = text.indexOf('\n', at)
  return line === end - 2 || (line === end - 3 && text[line - 1] === CR && text[line + 1] === CR)
}

/** A delta with a single text, without escapes, and nothing else. */
const PLAIN_TEXT =
  /"delta" *: *\{(?: *"\w+" *: *(?:null|""|"assistant") *,)* *"(?:content|reasoning(?:_content)?|refusal)" *: *"([^"\\]+)"(?: *, *"\w+" *: *(?:null|""|\[\]|"assistant"))* *\}/g

/** Returns the bytes of a plain chunk's text; undefined if the chunk may have other content and must be parsed. */
export function countPlainText(text: string, start: number, end: number): number | undefined {
  PLAIN_TEXT.lastIndex = start
  const [, plainText] = PLAIN_TEXT.exec(text) ?? []
  const behind = PLAIN_TEXT.lastIndex
  const another = text.indexOf('"delta"', behind)
  return plainText === undefined || behind > end || (another >= 0 && another < end) ? undefined : plainText.length
}
