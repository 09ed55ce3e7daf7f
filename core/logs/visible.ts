// Makes text from outside safe to show: no character moves the cursor, sets colors, or hides or reverses the text
// around it.

/** Controls (C0 and C1), line and paragraph separators, and what changes the direction of text. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu
const code = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Escapes control characters, such as ESC as `\u001b`. Line breaks and tabs stay. */
export const escapeControlCharacters = (text: string): string =>
  text.replace(HIDDEN, (character) => (character === '\n' || character === '\t' ? character : code(character)))

/** Returns equivalent JSON text with all hidden characters escaped. JSON itself only escapes C0. */
export const escapeHiddenJson = (json: string): string =>
  json.replace(HIDDEN, (character) => (character < ' ' ? character : code(character)))

/** A value on one line. */
export const toOneLine = (text: string): string =>
  escapeControlCharacters(text.replace(/[\t\n\v\f\r \u00A0\u3000]+/g, ' ')).trim()
