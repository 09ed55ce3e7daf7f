// Progress of long work: on a terminal a changing line, elsewhere a line on standard error for each part.
import { fillTemplate, type Words } from '../../core/errors.ts'
import type { CommandEnvironment } from '../command.ts'
import { asUntranslatedText } from '../language.ts'
import { words } from '../texts.ts'

// Bars of characters, which are readable in monochrome and in any fixed-width font.

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Draws a bar of `places` characters, filled to the share (0 to 1). Any share above 0 is visible. */
export function drawBar(share: number, places: number): string {
  const eighths = Math.min(places * 8, Math.max(share > 0 ? 1 : 0, Math.round(share * places * 8)))
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}

/** Draws the bar of `████░░░░  4 of 8`, without the text. */
export function drawProgressBar(done: number, total: number, places = 20): string {
  const full = total > 0 ? Math.min(places, Math.floor((done / total) * places)) : 0
  return '█'.repeat(full) + '░'.repeat(places - full)
}

const BLOCKS = '▁▂▃▄▅▆▇█'

/** Draws the last `width` figures relative to the largest; no value is a blank. */
export function drawSparkline(figures: readonly number[], width: number): string {
  const seen = figures.slice(-width)
  const most = Math.max(...seen, 0)
  return seen
    .map((figure) => (figure <= 0 ? ' ' : BLOCKS[Math.max(0, Math.ceil((figure / most) * BLOCKS.length) - 1)]))
    .join('')
    .padStart(width)
}

/** A part of the work: `done` of `total`, in the unit that `what` names. */
export interface WorkPart {
  step: Words
  /** Empty if the work has only one part. */
  what: string
  done: number
  total: number
}

const LINE = words('{part} {bar} {done}/{total}')
const BEGUN = words('{step} {done}')
const PART = words('{part}: {total}')
const NAMED = words('{step} {what}')

const formatPart = ({ step, what }: WorkPart): Words =>
  what === '' ? step : fillTemplate(NAMED, { step, what: asUntranslatedText(what) })

/** Runs the work, which reports its parts. */
export async function runWithProgress<T>(
  { ask, print, terminal }: Pick<CommandEnvironment, 'ask' | 'print' | 'terminal'>,
  work: (report: (part: WorkPart) => void) => Promise<T>,
): Promise<T> {
  let now: WorkPart | undefined
  let over = false
  const figure = (count: number) => asUntranslatedText(count.toLocaleString('en-US'))
  const label = () => {
    if (!now) return words('…')
    const { step, done, total } = now
    if (total === 0) return fillTemplate(BEGUN, { step, done: done === 0 ? asUntranslatedText('') : figure(done) })
    const bar = asUntranslatedText(drawProgressBar(done, total))
    return fillTemplate(LINE, { part: formatPart(now), bar, done: figure(done), total: figure(total) })
  }
  const report = (part: WorkPart) => {
    // Parts read ahead are not reported after the work has failed: its error comes last.
    if (over) return
    now = part
    if (terminal.interactive || part.total === 0 || part.done < part.total) return
    print.warn(fillTemplate(PART, { part: formatPart(part), total: figure(part.total) }))
  }
  return ask.during(
    label,
    work(report).finally(() => (over = true)),
  )
}
