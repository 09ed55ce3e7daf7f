// Text in columns: how wide a character is, and how cells are padded, cut and kept harmless.
import { oneLine } from './visible.ts'

/** How a cell is painted where there is colour. */
export type Tone = 'plain' | 'strong' | 'faint' | 'good' | 'careful' | 'bad'

export interface Cell {
  text: string
  tone?: Tone
}

export interface Layout {
  titles: string[]
  rows: Cell[][]
  /** Columns whose figures stand at the right. */
  right?: boolean[]
  /** Columns that give way first where a line is too long. */
  flexible?: boolean[]
  /** The longest allowed line; longer ones are cut in their widest columns. */
  width?: number
  /** How wide the columns were before this batch: kept up to date, so that batches stand under one another. */
  widest?: number[]
  paint(text: string, tone: Tone): string
}

const GAP = '  '
const NARROWEST = 8

/** The lines of a table: titles first, no line at the end of which blanks remain. */
export function tableLines({ titles, rows, right = [], flexible = [], width, widest = [], paint }: Layout): string[] {
  const lines = [titles.map((text): Cell => ({ text, tone: 'faint' })), ...rows].map((cells) =>
    cells.map(({ text, tone = 'plain' }) => ({ text: oneLine(text), tone })),
  )
  titles.forEach((_, at) => {
    widest[at] = Math.max(widest[at] ?? 0, ...lines.map((cells) => widthOf(cells[at]?.text ?? '')))
  })
  const widths = fit(widest, flexible, width)
  return lines.map((cells) => {
    const last = cells.findLastIndex(({ text }) => text !== '')
    return cells
      .slice(0, last + 1)
      .map(({ text, tone }, at) => {
        const shown = cut(text, widths[at] ?? 0)
        const blanks = ' '.repeat((widths[at] ?? 0) - widthOf(shown))
        if (right[at]) return blanks + paint(shown, tone)
        return paint(shown, tone) + (at === last ? '' : blanks)
      })
      .join(GAP)
  })
}

/** How many places a text takes: two for each Chinese, Japanese or Korean character. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += /\p{M}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return width
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

/** A text of at most so many places; what is missing shows as `…`. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  for (const character of text) {
    if (widthOf(kept + character) > width - 1) break
    kept += character
  }
  return `${kept}…`
}

/** Takes from the flexible columns, then from all, always from the widest, until the line fits or none can give more. */
function fit(widths: readonly number[], flexible: readonly boolean[], width: number | undefined): number[] {
  const fitted = [...widths]
  let excess =
    width === undefined ? 0 : fitted.reduce((sum, one) => sum + one, GAP.length * (fitted.length - 1)) - width
  for (const mayGive of [(at: number) => flexible[at] === true, () => true]) {
    while (excess > 0) {
      const most = Math.max(...fitted.filter((_, at) => mayGive(at)))
      if (most <= NARROWEST) break
      fitted[fitted.findIndex((one, at) => one === most && mayGive(at))] = most - 1
      excess -= 1
    }
  }
  return fitted
}
