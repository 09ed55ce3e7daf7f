// The bars: what has to hold, as ratios within one run.
import { HELD_GAP_MS, OPEN_LOOP_RATE, SLOW_RATE, type Run, type SuiteName } from './suites.ts'
import {
  PASS_THROUGH,
  PORTKEY,
  WEIR,
  manyAccounts,
  WEIR_ONE_WORKER,
  WEIR_POSTGRES,
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
  const median = (runs: Run[], field: keyof Run) => spread(runs.map((run) => run[field])).median
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
    list.push(ratio('1 KB JSON: at least 55 % of the bare pass-through', 'json', WEIR, PASS_THROUGH, 0.55))
    list.push(ratio('1 KB JSON: at least 5 times Portkey', 'json', WEIR, PORTKEY, 5, true))
    list.push(ratio('PostgreSQL: at least 60 % more than before', 'json', WEIR_POSTGRES, WEIR_POSTGRES_BEFORE, 1.6))
  }
  if (measured.has('s50'))
    list.push(ratio('50 events: at least 80 % of the bare pass-through', 's50', WEIR, PASS_THROUGH, 0.8))
  if (measured.has('s500'))
    list.push(ratio('500 events: at least the bare pass-through', 's500', WEIR, PASS_THROUGH, 1))
  if (measured.has('big'))
    list.push(ratio('32 KB prompts: at least 75 % of the bare pass-through', 'big', WEIR, PASS_THROUGH, 0.75))
  for (const name of ['agent', 'agent1m'] as const)
    if (measured.has(name)) {
      list.push(ratio(`${name}: at least 60 % of the bare pass-through`, name, WEIR, PASS_THROUGH, 0.6))
      list.push(cpuRatio(`${name}: at most twice the pass-through's CPU`, of(name, WEIR), of(name, PASS_THROUGH), 2))
    }
  for (const name of ['toMessages', 'toChat'] as const)
    if (measured.has(name))
      list.push(cpuRatio(`${name}: at most 4 times the pass-through's CPU`, of(name, WEIR), of(name, PASS_THROUGH), 4))
  if (measured.has('rate')) list.push(...openLoop(OPEN_LOOP_RATE, of('rate', WEIR), of('rate', PASS_THROUGH)))
  if (measured.has('slow')) list.push(...openLoop(SLOW_RATE, of('slow', WEIR), of('slow', PASS_THROUGH)))
  if (measured.has('held')) list.push(...heldStreams(of('held', WEIR)))
  for (const count of ['2', '4'])
    if (measured.has('duo')) list.push(workersBar(count, of('duo', workers(count)), of('duo', WEIR_ONE_WORKER)))
  if (measured.has('duo'))
    list.push(ratio('4 workers, one busy account: at least 80 % of 32', 'duo', workers('4'), manyAccounts('4'), 0.8))
  return list
}

/** CPU of a call against another target's, of the medians. */
function cpuRatio(name: string, ours: Run[], theirs: Run[], most: number): Bar {
  if (ours.length === 0 || theirs.length === 0) return { name, holds: undefined, measured: 'not measured' }
  const cpu = (runs: Run[]) => spread(runs.map((run) => run.cpu_us)).median
  const value = cpu(ours) / cpu(theirs)
  return { name, holds: value <= most, measured: `${value.toFixed(2)}×` }
}

function workersBar(count: string, several: Run[], one: Run[]): Bar {
  const name = `${count} workers on two cores: never slower than one, CPU of a call at most 10 % above`
  if (several.length === 0 || one.length === 0) return { name, holds: undefined, measured: 'not measured' }
  const of = (runs: Run[], field: 'cpu_us' | 'calls_s') => spread(runs.map((run) => run[field])).median
  const cpu = of(several, 'cpu_us') / of(one, 'cpu_us')
  const rate = of(several, 'calls_s') / of(one, 'calls_s')
  const lost = several.reduce((sum, run) => sum + run.lost, 0)
  return {
    name,
    holds: cpu <= 1.1 && rate >= 1 && lost === 0,
    measured: `${percent(cpu)} of the CPU, ${percent(rate)} of the rate, ${lost} lost`,
  }
}

/** What a call costs and takes where there is time between calls, beside the pass-through's. */
function openLoop(rate: number, ours: Run[], theirs: Run[]): Bar[] {
  const name = `${rate.toLocaleString('en')} requests a second:`
  const median = (runs: Run[], field: 'cpu_us' | 'p50_ms' | 'p99_ms') => spread(runs.map((run) => run[field])).median
  const lost = ours.reduce((sum, run) => sum + run.lost, 0)
  const isMeasured = ours.length > 0 && theirs.length > 0
  const bar = (said: string, holds: boolean, measured: string): Bar => ({
    name: `${name} ${said}`,
    ...(isMeasured ? { holds: holds && lost === 0, measured } : { holds: undefined, measured: 'not measured' }),
  })
  const cpu = median(ours, 'cpu_us') / median(theirs, 'cpu_us')
  const added = median(ours, 'p50_ms') - median(theirs, 'p50_ms')
  const late = median(ours, 'p99_ms') / median(theirs, 'p99_ms')
  return [
    bar("CPU at most 1.7 times the pass-through's, none lost", cpu <= 1.7, `${cpu.toFixed(2)}×, ${lost} lost`),
    bar('p50 at most 0.5 ms above it', added <= 0.5, `${added.toFixed(2)} ms above`),
    bar('p99 at most 3 times its', late <= 3, `${late.toFixed(1)}×`),
  ]
}

function heldStreams(runs: Run[]): Bar[] {
  if (runs.length === 0) return []
  const streams = Math.max(...runs.map(({ opened }) => opened))
  const worst = (field: keyof Run) => spread(runs.map((run) => run[field])).median
  const broken = runs.reduce((sum, run) => sum + run.errors + run.refused + run.finished, 0)
  const name = `${streams.toLocaleString('en')} held streams:`
  return [
    {
      name: `${name} less than 280 MiB resident`,
      holds: worst('resident_mb') < 280 && broken === 0,
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
