// The bars: what has to hold, as ratios within one run.
import { HELD_GAP_MS, OPEN_LOOP_RATE, SLOW_RATE, type Run, type SuiteName } from './suites.ts'
import {
  FLOOR,
  PASS_THROUGH,
  PORTKEY,
  WEIR,
  manyAccounts,
  WEIR_ONE_WORKER,
  WEIR_POSTGRES,
  WEIR_FOUR_TIMES,
  WEIR_POSTGRES_BEFORE,
  workers,
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
  const unmeasured = (name: string): Bar => ({ name, holds: undefined, measured: 'not measured' })

  /** Calls a second of one target against another's, of the medians; rounds are paired for the range. */
  function ratio(
    name: string,
    suite: SuiteName | 'duo',
    ours: string,
    theirs: string,
    least: number,
    times = false,
  ): Bar {
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
    list.push(
      cpuRatio(`1 KB JSON: at most 1.25 times the CPU of ${FLOOR}`, of('json', WEIR), of('json', FLOOR), 1.25),
      ratio('1 KB JSON: at least 5 times Portkey', 'json', WEIR, PORTKEY, 5, true),
      ratio('PostgreSQL: at least 30 % more than before', 'json', WEIR_POSTGRES, WEIR_POSTGRES_BEFORE, 1.3),
    )
  }
  if (measured.has('s50')) list.push(ratio(`50 events: at least 85 % of ${FLOOR}`, 's50', WEIR, FLOOR, 0.85))
  if (measured.has('s500'))
    list.push(ratio('500 events: at least the bare pass-through', 's500', WEIR, PASS_THROUGH, 1))
  if (measured.has('big')) list.push(ratio(`32 KB prompts: at least 85 % of ${FLOOR}`, 'big', WEIR, FLOOR, 0.85))
  for (const name of ['agent', 'agent1m'] as const)
    if (measured.has(name)) {
      list.push(ratio(`${name}: at least 60 % of the bare pass-through`, name, WEIR, PASS_THROUGH, 0.6))
      list.push(cpuRatio(`${name}: at most twice the pass-through's CPU`, of(name, WEIR), of(name, PASS_THROUGH), 2))
    }
  for (const name of ['toMessages', 'toChat'] as const)
    if (measured.has(name))
      list.push(cpuRatio(`${name}: at most 4 times the pass-through's CPU`, of(name, WEIR), of(name, PASS_THROUGH), 4))
  if (measured.has('neighbour')) {
    const name = "a neighbour of 16 agents with 1 MB: p99 at most 5 ms above the pass-through's"
    list.push(laterBy(name, of('neighbour', WEIR), of('neighbour', PASS_THROUGH), 'p99_ms', 5))
  }
  for (const [suite, rate] of [
    ['rate', OPEN_LOOP_RATE],
    ['slow', SLOW_RATE],
  ] as const) {
    if (!measured.has(suite)) continue
    const name = `${rate.toLocaleString('en')} requests a second:`
    const [ours, theirs] = [of(suite, WEIR), of(suite, FLOOR)]
    list.push(
      cpuRatio(`${name} at most 1.2 times the CPU of ${FLOOR}`, ours, theirs, 1.2),
      laterBy(`${name} p50 at most 0.2 ms above it`, ours, theirs, 'p50_ms', 0.2),
    )
    if (suite === 'rate') list.push(timesAsLate(`${name} p99 at most a tenth above it`, ours, theirs, 1.1))
  }
  if (measured.has('held')) list.push(...heldStreams(of('held', WEIR), of('held', PASS_THROUGH)))
  if (measured.has('duo')) {
    for (const count of ['2', '4']) list.push(workersBar(count, of('duo', workers(count)), of('duo', WEIR_ONE_WORKER)))
    const alone = '4 workers: at least 90 % of 4 gateways that share nothing'
    list.push(
      ratio(alone, 'duo', workers('4'), WEIR_FOUR_TIMES, 0.9),
      ratio('4 workers, one busy account: at least 80 % of 32', 'duo', workers('4'), manyAccounts('4'), 0.8),
    )
  }
  return list
}

const median = (runs: readonly Run[], field: keyof Run): number => spread(runs.map((run) => run[field])).median

/** A bar of two targets; without the runs of both it is not measured. */
function compare(
  name: string,
  ours: readonly Run[],
  theirs: readonly Run[],
  judge: () => Pick<Bar, 'holds' | 'measured'>,
): Bar {
  if (ours.length === 0 || theirs.length === 0) return { name, holds: undefined, measured: 'not measured' }
  const { holds, measured } = judge()
  const lost = ours.reduce((sum, run) => sum + run.lost, 0)
  return {
    name,
    holds: holds === true && lost === 0,
    measured: lost > 0 ? `${measured}, ${lost} calls lost` : measured,
  }
}

/** CPU of a call against another target's, of the medians. */
const cpuRatio = (name: string, ours: readonly Run[], theirs: readonly Run[], most: number): Bar =>
  compare(name, ours, theirs, () => {
    const value = median(ours, 'cpu_us') / median(theirs, 'cpu_us')
    return { holds: value <= most, measured: `${value.toFixed(2)}×` }
  })

/** How many ms a call takes beyond another target's, of the medians. */
const laterBy = (
  name: string,
  ours: readonly Run[],
  theirs: readonly Run[],
  field: 'p50_ms' | 'p99_ms',
  most: number,
): Bar =>
  compare(name, ours, theirs, () => {
    const value = median(ours, field) - median(theirs, field)
    return { holds: value <= most, measured: `${value.toFixed(2)} ms above` }
  })

const timesAsLate = (name: string, ours: readonly Run[], theirs: readonly Run[], most: number): Bar =>
  compare(name, ours, theirs, () => {
    const value = median(ours, 'p99_ms') / median(theirs, 'p99_ms')
    return { holds: value <= most, measured: `${value.toFixed(2)}×` }
  })

function workersBar(count: string, several: Run[], one: Run[]): Bar {
  const name = `${count} workers on two cores: never slower than one, CPU of a call at most 10 % above`
  if (several.length === 0 || one.length === 0) return { name, holds: undefined, measured: 'not measured' }
  const cpu = median(several, 'cpu_us') / median(one, 'cpu_us')
  const rate = median(several, 'calls_s') / median(one, 'calls_s')
  const lost = several.reduce((sum, run) => sum + run.lost, 0)
  return {
    name,
    holds: cpu <= 1.1 && rate >= 1 && lost === 0,
    measured: `${percent(cpu)} of the CPU, ${percent(rate)} of the rate, ${lost} lost`,
  }
}

function heldStreams(ours: readonly Run[], theirs: readonly Run[]): Bar[] {
  if (ours.length === 0) return []
  const streams = Math.max(...ours.map(({ opened }) => opened))
  const broken = ours.reduce((sum, run) => sum + run.errors + run.refused + run.finished, 0)
  const name = `${streams.toLocaleString('en')} held streams:`
  return [
    compare(`${name} at most 60 MiB above the pass-through`, ours, theirs, () => {
      const above = median(ours, 'resident_mb') - median(theirs, 'resident_mb')
      const streamsBroken = broken > 0 ? `, ${broken} streams broke` : ''
      return { holds: above <= 60 && broken === 0, measured: `${Math.round(above)} MiB above${streamsBroken}` }
    }),
    {
      name: `${name} largest gap less than 3 times the provider's`,
      holds: median(ours, 'gap_max_ms') < 3 * HELD_GAP_MS,
      measured: `${Math.round(median(ours, 'gap_max_ms'))} ms against ${HELD_GAP_MS} ms`,
    },
    compare(`${name} gone at the provider at most 0.3 s after the pass-through's`, ours, theirs, () => {
      const later = median(ours, 'gone_ms') - median(theirs, 'gone_ms')
      return { holds: later <= 300, measured: `${Math.round(later)} ms after` }
    }),
  ]
}
