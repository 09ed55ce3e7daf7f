// Text from outside as people may see it: nothing in it moves the cursor, colours, hides or turns what stands beside it.

/** Controls (C0 and C1), line and paragraph separators, and what changes the direction of text. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu
const code = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Line breaks and tabs stay; `\u001b` stands for an escape. */
export const escapeControls = (text: string): string =>
  text.replace(HIDDEN, (character) => (character === '\n' || character === '\t' ? character : code(character)))

/** JSON text that means the same and shows what is in it. Of what is hidden, JSON itself writes only C0 as code. */
export const visibleJson = (json: string): string =>
  json.replace(HIDDEN, (character) => (character < ' ' ? character : code(character)))

/** A value on one line. */
export const oneLine = (text: string): string => escapeControls(text.replace(/[\t\n\v\f\r \u00A0\u3000]+/g, ' ')).trim()
