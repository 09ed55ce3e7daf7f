// Looks at a chunk's text that save a parse: the hot path of every stream. Places are those of the bytes.

/**
 * Where a chunk says more than its text: a usage, a finish reason, an error. `null` and `""` say nothing, and inside a
 * text the quotes are escaped, so that what a model says cannot be taken for it. Words of one length let the search
 * jump; some other key that ends in `eason` only costs a parse.
 */
export const MARK: RegExp = /(?:usage|error|eason)" *:(?! *(?:null|""))/g

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

/** The texts that a chunk may say, under all their names; behind a text is its quote, or a backslash inside it. */
const SAID =
  /"(?:content|reasoning(?:_content)?|refusal|text|thinking|transcript|name|arguments|input)" *: *"([^"\\]+)(.)/g

/** Bytes of the text that a chunk says; undefined where it says none, several, or one with escapes: that takes a parse. */
export function saidBytes(text: string, start: number, end: number): number | undefined {
  SAID.lastIndex = start
  const only = SAID.exec(text)
  if (!only || SAID.lastIndex > end || only[2] !== '"') return undefined
  const next = SAID.exec(text)
  return next && next.index < end ? undefined : only[1]?.length
}
