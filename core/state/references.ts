// The references of a file to a text stored elsewhere: `${ENV:NAME}`, `${file:PATH}`, or `${age:…}`, encrypted for a
// recipient.
import type { StateValue } from './state.ts'

const REFERENCE = /^\$\{(ENV|file|age):(.+)\}$/s
/** A text that looks like one has a dollar sign more in a file. */
const ESCAPED = /^\$\$+\{(?:ENV|file|age):/

export interface StateReference {
  kind: 'ENV' | 'file' | 'age'
  what: string
}

/** Parses a reference. Returns undefined for a plain text. */
export function parseReference(text: string): StateReference | undefined {
  const [, kind, what] = REFERENCE.exec(text) ?? []
  return kind === undefined || what === undefined ? undefined : { kind: kind as StateReference['kind'], what }
}

/** Returns the text without its escape. */
export const unescapeReferenceText = (text: string): string => (ESCAPED.test(text) ? text.slice(1) : text)

/** Returns a value in the notation of a file. */
export function escapeReferenceTexts(value: StateValue): StateValue {
  if (typeof value === 'string') return parseReference(value) || ESCAPED.test(value) ? `$${value}` : value
  if (Array.isArray(value)) return value.map(escapeReferenceTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, escapeReferenceTexts(one)]))
}
