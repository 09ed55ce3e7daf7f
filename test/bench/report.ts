// Prints the measurements: one table, one line for each limit, the machine, and the command to repeat it.
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { spread, type Bar, type Measured } from './bars.ts'
import type { Run, Suite } from './suites.ts'

type Column = [title: string, show: (runs: Run[]) => string]

const amount = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(2)

const of =
  (field: keyof Run) =>
  (runs: Run[]): string => {
    const { median, min, max } = spread(runs.map((run) => run[field]))
    if (median === 0 && max === 0) return '-'
    return runs.length === 1 ? amount(median) : `${amount(median)} (${amount(min)}-${amount(max)})`
  }
const total = (field: keyof Run) => (runs: Run[]) => String(runs.reduce((sum, run) => sum + run[field], 0))

const callColumns: Column[] = [
  ['requests/s', of('calls_s')],
  ['CPU µs/request', of('cpu_us')],
  ['p50 ms', of('p50_ms')],
  ['p99 ms', of('p99_ms')],
  ['MiB', of('resident_mb')],
  ['lost', total('lost')],
]
/** Figures that mean something else for streams that are held. */
const heldColumns: Column[] = [
  ['streams', (runs) => amount(spread(runs.map((run) => run.opened)).median)],
  ['CPU µs/event', of('cpu_us')],
  ['first event p50 ms', of('p50_ms')],
  ['first event p99 ms', of('p99_ms')],
  ['largest gap ms', of('gap_max_ms')],
  ['MiB', of('resident_mb')],
  ['gone after ms', of('gone_ms')],
]

/** Rows of cells, the first of them titles, as a Markdown table. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), rule, ...body.map(line)].join('\n')
}

export function measuredTable(suites: Suite[], measured: Measured): string {
  const section = (held: boolean, columns: Column[]): string[] => {
    const rows = suites
      .filter(({ name, load }) => (load.mode === 'streams') === held && measured.has(name))
      .flatMap(({ name }) =>
        [...(measured.get(name) ?? [])]
          .filter(([, runs]) => runs.length > 0)
          .map(([target, runs]) => [`${name}: ${target}`, ...columns.map(([, show]) => show(runs))]),
      )
    return rows.length === 0 ? [] : [table([['run', ...columns.map(([title]) => title)], ...rows])]
  }
  return [...section(false, callColumns), ...section(true, heldColumns)].join('\n\n')
}

const verdict = ({ holds }: Bar) => (holds === undefined ? 'not measured' : holds ? 'holds' : 'DOES NOT HOLD')

export const barLines = (bars: Bar[]): string =>
  bars
    .map((bar) =>
      bar.holds === undefined ? `- not measured: ${bar.name}` : `- ${verdict(bar)}: ${bar.name}: ${bar.measured}`,
    )
    .join('\n')

export function machine(): string {
  const [cpu] = cpus()
  const system = /^PRETTY_NAME="(.*)"$/m.exec(textOf('/etc/os-release'))?.[1] ?? process.platform
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${cpus().length} cores of ${cpu?.model.trim() ?? 'an unknown processor'}, ${memory}, Linux ${release()}, ${system}, Node ${process.versions.node}`
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const PLACES =
  'The gateway had core 0; provider and load had core 1. CPU counts every process of the gateway, start-up excepted.'

export interface Report {
  suites: Suite[]
  measured: Measured
  bars: Bar[]
  notes: string[]
  command: string
  rounds: number
}

export function report({ suites, measured, bars, notes, command, rounds }: Report): string {
  return [
    measuredTable(suites, measured),
    barLines(bars),
    [
      ...suites.filter(({ name }) => measured.has(name)).map(({ name, title }) => `- ${name}: ${title}`),
      ...notes.map((note) => `- ${note}`),
    ].join('\n'),
    `Figures are medians of ${rounds} (smallest to largest); targets took turns within each round. ${PLACES}`,
    `Machine: ${machine()}.\nTo repeat: \`${command}\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
