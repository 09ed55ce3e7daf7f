// Checks names for characters that hide, move or reverse text.

/** Letters and marks of the scripts whose words are written with joiners. */
const JOINING = ['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil']
  .concat(['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'])
  .map((script) => `\\p{Script=${script}}`)
  .join('')
/** Joiners inside a word or an emoji, and the tags of a flag. */
const JOINED = new RegExp(
  [
    `(?<=[${JOINING}\\p{M}])[\\u200c\\u200d](?=[${JOINING}])`,
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=\\u{1f3f4}[\\u{e0020}-\\u{e007e}]*)[\\u{e0020}-\\u{e007f}]',
  ].join('|'),
  'gu',
)
/** Control, direction and zero-width characters, and letters that are drawn as nothing. */
const HIDDEN = /\p{C}|\p{Zl}|\p{Zp}|[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/u

/** Returns false for a text with control, direction or zero-width characters. */
export const isVisible = (text: string): boolean => !HIDDEN.test(text.replace(JOINED, ''))
