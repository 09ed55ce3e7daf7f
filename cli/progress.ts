// How far a long work has come: on a terminal a line that changes, elsewhere a line on standard error for each part of it.
import { fillTemplate, words, type Words } from '../core/errors.ts'
import { progressBar } from './bars.ts'
import type { CommandEnvironment } from './command.ts'
import { asData } from './language.ts'

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
