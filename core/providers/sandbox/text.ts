// The sandbox's words: the same prompt always gets the same answer.

/** Three letters each, so that a word with its blank is one token of the rough count (four characters). */
const words = 'the net may run dry but any old dam can let its sea out and in one day fog ebb low ice'.split(' ')

/** The beginning of every answer, so that it is not mistaken for a model's. */
export const SANDBOX_LABEL = '[sandbox]'

/** A 32-bit number made of a text (FNV-1a): equal texts, equal numbers. */
export function hashTextToNumber(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

const wordAt = (seed: number, index: number): string => words[(seed + index * 7) % words.length]!

/** Returns this many words, the label being the first. */
export const generateAnswerWords = (seed: number, count: number): string =>
  count === 0 ? '' : [SANDBOX_LABEL, ...Array.from({ length: count - 1 }, (_, index) => wordAt(seed, index))].join(' ')

/** Returns a text with exactly this many tokens by the rough count. */
export const generateTokenText = (seed: number, count: number): string =>
  generateAnswerWords(seed, count + 1).slice(0, count * 4)

/** Returns the default answer. */
export function buildPlainAnswer(prompt: string): string {
  const excerpt = [...prompt].slice(0, 200).join('')
  return `${SANDBOX_LABEL} No model was asked: this answer was made offline. You said: ${excerpt === '' ? '(nothing)' : excerpt}`
}

/** Splits a text into this many pieces, or one for each word. Joined, they are the text again. */
export function splitPieces(text: string, count?: number): string[] {
  if (text === '') return []
  if (count === undefined) return text.match(/\s*\S+(?:\s+$)?|\s+$/g) ?? [text]
  const letters = [...text]
  const pieces = Math.max(1, Math.min(count, letters.length))
  const cut = (index: number) => Math.floor((index * letters.length) / pieces)
  return Array.from({ length: pieces }, (_, index) => letters.slice(cut(index), cut(index + 1)).join(''))
}
