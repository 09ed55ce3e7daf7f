// Bars of characters: they say as much in monochrome and in any font of fixed width.

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar of so many places, filled as far as the share says (0 to 1); what is there at all shows. */
export function bar(share: number, places: number): string {
  const eighths = Math.min(places * 8, Math.max(share > 0 ? 1 : 0, Math.round(share * places * 8)))
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}

/** How far something is: `████░░░░  4 of 8` without its words. */
export function progressBar(done: number, total: number, places = 20): string {
  const full = total > 0 ? Math.min(places, Math.floor((done / total) * places)) : 0
  return '█'.repeat(full) + '░'.repeat(places - full)
}

const BLOCKS = '▁▂▃▄▅▆▇█'

/** The last `width` figures, each as high as it is beside the greatest; none is a blank. */
export function sparkline(figures: readonly number[], width: number): string {
  const seen = figures.slice(-width)
  const most = Math.max(...seen, 0)
  return seen
    .map((figure) => (figure <= 0 ? ' ' : BLOCKS[Math.max(0, Math.ceil((figure / most) * BLOCKS.length) - 1)]))
    .join('')
    .padStart(width)
}
