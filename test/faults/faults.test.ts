// Every fault of the table, against a real server: streamed and plain, with one channel and with three.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
const free: Rig[] = []
beforeAll(async () => void free.push(...(await Promise.all(Array.from({ length: RIGS }, openRig)))))
afterAll(() => Promise.all(free.map((rig) => rig.close())))

async function onRig<T>(play: (rig: Rig) => Promise<T>): Promise<T> {
  const rig = free.pop()
  if (!rig) throw new Error(`more than ${RIGS} at once`)
  try {
    return await play(rig)
  } finally {
    free.push(rig)
  }
}

function expected(fault: Fault, streamed: boolean, channels: 1 | 3): Played {
  const rescued = channels > 1 && fault.rescued[streamed ? 'stream' : 'plain']
  const outcome = rescued ? SERVED : fault[streamed ? 'stream' : 'plain']
  const asked = { faulty: fault.behave ? 1 : 0, healthy: rescued ? 1 : 0 }
  // What was used although it failed is a row of consumption that says so.
  const log = outcome.sees === 'refused' && outcome.charged !== 'nothing' ? 'cut short' : LOGGED[outcome.sees]
  return { ...outcome, log, asked, channel: fault.channel }
}

describe.concurrent.each(Object.entries(groups))('%s: a provider', (_, faults) => {
  describe.each(faults)('$name', (fault) => {
    it.each([
      ['stream', 'one channel', true, 1],
      ['plain answer', 'one channel', false, 1],
      ['stream', 'three channels', true, 3],
      ['plain answer', 'three channels', false, 3],
    ] as const)('%s, %s', async (_kind, _count, streamed, channels) => {
      expect(await onRig((rig) => rig.play(fault, streamed, channels))).toEqual(expected(fault, streamed, channels))
    })
  })
})

describe.concurrent.each(Object.entries(groups))('%s: whoever hangs up on a provider', (_, faults) => {
  describe.each(faults)('that $name', ({ ...fault }) => {
    it.each([
      ['stream', true],
      ['plain answer', false],
    ] as const)('has no free %s', async (_kind, streamed) => {
      const { came, paid, logged } = await onRig((rig) => rig.leave(fault, streamed))
      expect(paid).toBe(logged)
      if (came) expect(paid).toBeGreaterThan(0)
    })
  })
})

describe('after all of it', () => {
  it('the books agree, nothing is held and no connection is left', async () => {
    for (const rig of free) {
      const { ok, open_holds, connections } = await rig.settled()
      expect({ ok, open_holds }).toEqual({ ok: true, open_holds: 0 })
      expect(connections).toBeLessThanOrEqual(1)
    }
  })

  it('the page says what was seen', () => {
    expect(readFileSync(PAGE, 'utf8'), 'run npx tsx test/faults/page.ts').toBe(page())
  })
})
