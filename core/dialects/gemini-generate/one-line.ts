// Writes JSON for one line of an event: Python's line readers also split at characters that JSON may contain.

const LINE_ENDS = /[\u0085\u2028\u2029]/g

/** Escapes the characters that any reader treats as a line end. */
export const escapeLineEnds = (json: string): string =>
  json.replace(LINE_ENDS, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
