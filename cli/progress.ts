// How far a long work has come: on a terminal a line that changes, elsewhere a line on standard error for each part of it.
import { fillTemplate, words, type Words } from '../core/errors.ts'
import type { CommandEnvironment } from './command.ts'
import { asData } from './language.ts'

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

/** A part of the work: `done` of `total`, of whatever `what` counts. */
export interface Part {
  step: Words
  /** Empty where all of it is one. */
  what: string
  done: number
  total: number
}

const LINE = words('{part} {bar} {done}/{total}', '{part} {bar} {done}/{total}')
const BEGUN = words('{step} {done}', '{step} {done}')
const PART = words('{part}: {total}', '{part}：{total}')
const NAMED = words('{step} {what}', '{step} {what}')

const partOf = ({ step, what }: Part): Words => (what === '' ? step : fillTemplate(NAMED, { step, what: asData(what) }))

/** Runs the work, which tells its parts as they go on. */
export async function withProgress<T>(
  { ask, print, terminal }: Pick<CommandEnvironment, 'ask' | 'print' | 'terminal'>,
  work: (tell: (part: Part) => void) => Promise<T>,
): Promise<T> {
  let now: Part | undefined
  let over = false
  const figure = (count: number) => asData(count.toLocaleString('en-US'))
  const label = () => {
    if (!now) return words('…', '…')
    const { step, done, total } = now
    if (total === 0) return fillTemplate(BEGUN, { step, done: done === 0 ? asData('') : figure(done) })
    const bar = asData(progressBar(done, total))
    return fillTemplate(LINE, { part: partOf(now), bar, done: figure(done), total: figure(total) })
  }
  const tell = (part: Part) => {
    // What was read ahead is told of no more once the work has failed: its error is the last that is said.
    if (over) return
    now = part
    if (terminal.interactive || part.total === 0 || part.done < part.total) return
    print.warn(fillTemplate(PART, { part: partOf(part), total: figure(part.total) }))
  }
  return ask.during(
    label,
    work(tell).finally(() => (over = true)),
  )
}
