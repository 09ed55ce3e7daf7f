// The bars: what has to hold, as ratios within one run.
import { HELD_GAP_MS, type Run, type SuiteName } from './suites.ts'
import {
  DIRECT,
  PASS_THROUGH,
  PORTKEY,
  WEIR,
  WEIR_ONE_WORKER,
  WEIR_POSTGRES,
  WEIR_TWICE,
  WEIR_WORKERS,
} from './targets.ts'

export type Measured = Map<string, Map<string, Run[]>>

export interface Bar {
  name: string
  /** Undefined where it was not measured. */
  holds: boolean | undefined
  measured: string
}

export interface Spread {
  median: number
  min: number
  max: number
}

export function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const at = (index: number) => sorted[index] ?? 0
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2
  return { median, min: at(0), max: at(sorted.length - 1) }
}

export const percent = (ratio: number): string => `${(ratio * 100).toFixed(1)} %`

/** Every bar of the suites that ran. */
export function bars(measured: Measured): Bar[] {
  const of = (suite: SuiteName | 'duo', target: string): Run[] => measured.get(suite)?.get(target) ?? []
  const median = (runs: Run[], field: keyof Run) => spread(runs.map((run) => run[field])).median
  const unmeasured = (name: string): Bar => ({ name, holds: undefined, measured: 'not measured' })

  /** Calls a second of one target against another's, of the medians; rounds are paired for the range. */
  function ratio(name: string, suite: SuiteName, ours: string, theirs: string, least: number, times = false): Bar {
    const [a, b] = [of(suite, ours), of(suite, theirs)]
    if (a.length === 0 || b.length === 0) return unmeasured(name)
    const value = median(a, 'calls_s') / median(b, 'calls_s')
    const pairs = spread(a.map((run, round) => run.calls_s / (b[round]?.calls_s ?? Number.NaN)))
    const show = (each: number) => (times ? `${each.toFixed(1)}×` : percent(each))
    const lost = a.reduce((sum, run) => sum + run.lost, 0)
    return {
      name,
      holds: value >= least && lost === 0,
      measured: `${show(value)} (rounds ${show(pairs.min)} to ${show(pairs.max)})${lost > 0 ? `, ${lost} calls lost` : ''}`,
    }
  }

  const list: Bar[] = []
  if (measured.has('json')) {
    list.push(ratio('1 KB JSON: at least 80 % of the bare pass-through', 'json', WEIR, PASS_THROUGH, 0.8))
    list.push(ratio('1 KB JSON: at least 20 times Portkey', 'json', WEIR, PORTKEY, 20, true))
    const postgres = ratio('PostgreSQL: at least 60 % of SQLite', 'json', WEIR_POSTGRES, WEIR, 0.6)
    list.push(postgres)
  }
  if (measured.has('s50')) list.push(ratio('50 events: at least the bare pass-through', 's50', WEIR, PASS_THROUGH, 1))
  if (measured.has('s500'))
    list.push(ratio('500 events: at least the bare pass-through', 's500', WEIR, PASS_THROUGH, 1))
  if (measured.has('big'))
    list.push(ratio('32 KB prompts: at least 65 % of the bare pass-through', 'big', WEIR, PASS_THROUGH, 0.65))
  if (measured.has('rate')) list.push(openLoop(of('rate', WEIR), of('rate', DIRECT)))
  if (measured.has('held')) list.push(...heldStreams(of('held', WEIR)))
  if (measured.has('duo'))
    list.push(workersBar(of('duo', WEIR_WORKERS), of('duo', WEIR_ONE_WORKER), of('duo', WEIR_TWICE)))
  return list
}

function workersBar(two: Run[], one: Run[], apart: Run[]): Bar {
  const name = "two workers: CPU of a call at most 15 % above one worker's"
  if (two.length === 0 || one.length === 0) return { name, holds: undefined, measured: 'not measured' }
  const of = (runs: Run[], field: 'cpu_us' | 'calls_s') => spread(runs.map((run) => run[field])).median
  const ratio = of(two, 'cpu_us') / of(one, 'cpu_us')
  const lost = two.reduce((sum, run) => sum + run.lost, 0)
  return {
    name,
    holds: ratio <= 1.15 && lost === 0,
    measured: [
      `${percent(ratio)} of the CPU`,
      `${percent(of(two, 'calls_s') / of(one, 'calls_s'))} of the rate`,
      `${lost} lost`,
      `${percent(of(two, 'cpu_us') / of(apart, 'cpu_us'))} of the CPU of two gateways with a database each`,
    ].join(', '),
  }
}

function openLoop(ours: Run[], direct: Run[]): Bar {
  const name = '1,000 requests a second: p50 at most 0.7 ms above direct, none lost'
  if (ours.length === 0 || direct.length === 0) return { name, holds: undefined, measured: 'not measured' }
  const p50 = (runs: Run[]) => spread(runs.map((run) => run.p50_ms)).median
  const added = p50(ours) - p50(direct)
  const lost = ours.reduce((sum, run) => sum + run.lost, 0)
  return { name, holds: added <= 0.7 && lost === 0, measured: `${added.toFixed(2)} ms above direct, ${lost} lost` }
}

function heldStreams(runs: Run[]): Bar[] {
  if (runs.length === 0) return []
  const streams = Math.max(...runs.map(({ opened }) => opened))
  const worst = (field: keyof Run) => spread(runs.map((run) => run[field])).median
  const broken = runs.reduce((sum, run) => sum + run.errors + run.refused + run.finished, 0)
  const name = `${streams.toLocaleString('en')} held streams:`
  return [
    {
      name: `${name} less than 300 MB resident`,
      holds: worst('resident_mb') < 300 && broken === 0,
      measured: `${Math.round(worst('resident_mb'))} MiB${broken > 0 ? `, ${broken} streams broke` : ''}`,
    },
    {
      name: `${name} largest gap less than 3 times the provider's`,
      holds: worst('gap_max_ms') < 3 * HELD_GAP_MS,
      measured: `${Math.round(worst('gap_max_ms'))} ms against ${HELD_GAP_MS} ms`,
    },
    {
      name: `${name} all gone at the provider within a second`,
      holds: worst('gone_ms') < 1000,
      measured: `${Math.round(worst('gone_ms'))} ms`,
    },
  ]
}
