// Names that people read: nothing in them hides, moves or turns text.

/** Joiners that belong to a word or an emoji, and the tags of a flag. */
const JOINED =
  /(?<=[\p{L}\p{M}\p{N}])[\u200c\u200d](?=[\p{L}\p{M}])|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0020}-\u{e007f}]/gu
/** Control, direction and zero-width characters, and letters that are drawn as nothing. */
const HIDDEN = /\p{C}|\p{Zl}|\p{Zp}|[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/u

/** Returns false for a text with control, direction or zero-width characters. */
export const isVisible = (text: string): boolean => !HIDDEN.test(text.replace(JOINED, ''))
