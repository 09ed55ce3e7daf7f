// Text for people, in lines that fit the terminal. Libraries such as wrap-ansi break at blanks alone, and Chinese has
// none.
import stringWidth from 'fast-string-width'

// A line ends behind a word or a Chinese character: before no mark that closes, and behind none that opens.
const OPENING = '（“「《'
const CLOSING = '，。、：；！？）”」》…'
const HAN = '\\p{Script=Han}'
const PIECE = new RegExp(
  `\\s*[${OPENING}]*(?:${HAN}|[^\\s${HAN}${OPENING}${CLOSING}]+)[${CLOSING}]*|\\s*[${OPENING}${CLOSING}]+`,
  'gu',
)

/** Breaks lines that are wider; what is indented, such as an example, stays as it is. */
export const wrap = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap((line) => (line.startsWith(' ') || stringWidth(line) <= width ? [line] : brokenAt(width, line)))
    .join('\n')

function brokenAt(width: number, line: string): string[] {
  const lines: string[] = []
  let current = ''
  let taken = 0
  for (const [piece] of line.matchAll(PIECE)) {
    if (current !== '' && taken + stringWidth(piece) > width) {
      lines.push(current)
      current = piece.trimStart()
      taken = stringWidth(current)
    } else {
      current += piece
      taken += stringWidth(piece)
    }
  }
  return [...lines, current]
}
