// Figures as characters: a course of time in one line.
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
