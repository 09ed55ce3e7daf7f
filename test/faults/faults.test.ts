// Every fault of the table, against a real server: streamed and plain, with one channel and with three. `npm test` plays one of
// these four with each fault, in turns, and one caller of each third fault who hangs up.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listFailures } from '../support/list-failures.ts'
import { pickInTurn, runsAllTests, sampleCases } from '../support/suite.ts'
import type { Fault, Outcome } from './fault.ts'
import { groups } from './faults.ts'
import { page, PAGE } from './page.ts'
import { openRig, type Played, type Rig } from './rig.ts'

const LOGGED: Record<Outcome['sees'], Played['log']> = {
  whole: 'consumption',
  cut: 'cut short',
  refused: 'error',
  nothing: 'error',
}
const SERVED: Outcome = { sees: 'whole', status: 200, charged: 'report' }

/** Most of a fault's time is waiting: several are played at once, each on a rig of its own. */
const RIGS = 4
const TIMEOUT_MS = 600_000
const rigs: Rig[] = []
beforeAll(async () => void rigs.push(...(await Promise.all(Array.from({ length: RIGS }, openRig)))), 120_000)
afterAll(() => Promise.all(rigs.map((rig) => rig.close())))

/** Plays the cases on all rigs at once; returns a line for each that fails. */
async function playAll<Case extends { fault: Fault; streamed: boolean }>(
  cases: readonly Case[],
  play: (rig: Rig, one: Case) => Promise<void>,
): Promise<string[]> {
  const nameCase = ({ fault, streamed, ...more }: Case) =>
    `a provider that ${fault.name}, ${streamed ? 'stream' : 'plain answer'}${'channels' in more ? `, ${String(more.channels)} channels` : ''}`
  const failures = rigs.flatMap((rig, at) => {
    const own = cases.filter((_, index) => index % RIGS === at)
    return own.length === 0 ? [] : [listFailures(own, nameCase, (one) => play(rig, one))]
  })
  return (await Promise.all(failures)).flat()
}

function expected(fault: Fault, streamed: boolean, channels: 1 | 3): Played {
  const rescued = channels > 1 && fault.rescued[streamed ? 'stream' : 'plain']
  const outcome = rescued ? SERVED : fault[streamed ? 'stream' : 'plain']
  const asked = { faulty: fault.behave ? 1 : 0, healthy: rescued ? 1 : 0 }
  // What was used although it failed is a row of consumption that says so.
  const log = outcome.sees === 'refused' && outcome.charged !== 'nothing' ? 'cut short' : LOGGED[outcome.sees]
  return { ...outcome, log, asked, channel: fault.channel }
}

const CALLS = [
  { streamed: true, channels: 1 },
  { streamed: false, channels: 3 },
  { streamed: false, channels: 1 },
  { streamed: true, channels: 3 },
] as const

/** One call, the next one in each turn; in `npm run test:all` all of them. */
const callsOf = (turn: number) => pickInTurn(CALLS, turn, 1)

describe.each(Object.entries(groups))('%s', (_, faults) => {
  it('a call ends, is charged and is logged as the table says', { timeout: TIMEOUT_MS }, async () => {
    const cases = faults.flatMap((fault, turn) => callsOf(turn).map((call) => ({ fault, ...call })))
    const failures = await playAll(cases, async (rig, { fault, streamed, channels }) => {
      expect(await rig.play(fault, streamed, channels)).toEqual(expected(fault, streamed, channels))
    })
    expect(failures).toEqual([])
  })

  it('a caller who hangs up has nothing for free', { timeout: TIMEOUT_MS }, async () => {
    const kinds = (turn: number) => [true, false].filter((streamed) => runsAllTests || streamed === (turn % 2 === 0))
    const cases = sampleCases(faults, 3).flatMap((fault, turn) => kinds(turn).map((streamed) => ({ fault, streamed })))
    const failures = await playAll(cases, async (rig, { fault, streamed }) => {
      const { came, paid, logged } = await rig.leave(fault, streamed)
      expect(paid).toBe(logged)
      if (came) expect(paid).toBeGreaterThan(0)
    })
    expect(failures).toEqual([])
  })
})

describe('after all of it', () => {
  it('the books agree, nothing is held and no connection is left', async () => {
    for (const rig of rigs) {
      const { ok, open_holds, connections } = await rig.settled()
      expect({ ok, open_holds }).toEqual({ ok: true, open_holds: 0 })
      expect(connections).toBeLessThanOrEqual(1)
    }
  })

  it('the page says what was seen', () => {
    expect(readFileSync(PAGE, 'utf8'), 'run npx tsx test/faults/page.ts').toBe(page())
  })
})
