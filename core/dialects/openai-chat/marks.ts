// Looks at a chunk's text that save a parse: the hot path of every stream. Places are those of the bytes.

/**
 * Where a chunk says more than its text: a usage, a finish reason, an error, sound. `null` and `""` say nothing, and inside a
 * text the quotes are escaped, so that what a model says cannot be taken for it. Words of one length let the search
 * jump; some other key that ends in `reason` only costs a parse.
 */
export const MARK: RegExp = /(?:"usage|"error|"audio|reason)"(?! *: *(?:null|""))/g

const CR = '\r'

/** True where the frame is one line of `data: {…}`. */
export function isChunk(text: string, start: number, end: number): boolean {
  if (!text.startsWith('data:', start)) return false
  let at = start + 5
  while (text[at] === ' ') at++
  if (text[at] !== '{') return false
  const line = text.indexOf('\n', at)
  return line === end - 2 || (line === end - 3 && text[line - 1] === CR && text[line + 1] === CR)
}

/** A delta that says one text, without escapes, and nothing beside. */
const SAID =
  /"delta" *: *\{(?: *"\w+" *: *(?:null|""|"assistant") *,)* *"(?:content|reasoning(?:_content)?|refusal)" *: *"([^"\\]+)"(?: *, *"\w+" *: *(?:null|""|\[\]|"assistant"))* *\}/g

/** Bytes of the text that a plain chunk says; undefined where it may say something else: that takes a parse. */
export function saidBytes(text: string, start: number, end: number): number | undefined {
  SAID.lastIndex = start
  const [, said] = SAID.exec(text) ?? []
  const behind = SAID.lastIndex
  const another = text.indexOf('"delta"', behind)
  return said === undefined || behind > end || (another >= 0 && another < end) ? undefined : said.length
}
