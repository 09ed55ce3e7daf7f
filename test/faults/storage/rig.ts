// Plays what happens to storage against a built Weir under load, and compares its books with what callers saw.
import { setTimeout as sleep } from 'node:timers/promises'
import type { StorageEvent } from './event.ts'
import type { SeenCall } from './load.ts'
import type { World } from './world.ts'

export interface Played {
  event: StorageEvent
  processes: number
  /** Calls that were under way or began while it lasted, by what their callers saw. */
  saw: Record<SeenCall['saw'], number>
  /** The longest that any of them took, in ms. */
  longest_ms: number
  /** From its end until every process answered ten calls in a row, in ms; null for never. */
  well_ms: number | null
  /** From its end until nothing was owed any more, in ms; null for never. */
  booked_ms: number | null
  problems: string[]
}

const BEFORE_MS = 500
const IN_A_ROW = 10
const PATIENCE_MS = 60_000
/** More than nobody waits, on a machine that does nothing else. */
export const LONGEST_MS = 15_000

/** One event; the world goes on. */
export async function play(world: World, event: StorageEvent): Promise<Played> {
  const problems: string[] = []
  const { load, servers } = world
  if ((await load.well(IN_A_ROW, PATIENCE_MS)) === null) problems.push('it was not well before')
  await sleep(BEFORE_MS)
  const before = world.said().length
  const began = Date.now()
  const end = await event.begin(world)
  await sleep(event.lasts_ms)
  await end()
  const over = Date.now()
  const well_ms = await load.well(IN_A_ROW, PATIENCE_MS)
  if (well_ms === null) problems.push('it did not get well')
  const booked_ms = well_ms === null ? null : await booked(world, over)
  if (booked_ms === null) problems.push('charges are still owed')
  const said = world.said().slice(before)
  if (event.said && !event.said.test(said)) problems.push(`it did not say ${event.said}`)
  // Those that wait for longest end within their own patience.
  const concerned = load.calls.filter(({ at, ms }) => at + ms >= began && at <= over)
  const saw = { whole: 0, refused: 0, cut: 0, nothing: 0 }
  for (const call of concerned) saw[call.saw]++
  if (event.goesOn && saw.refused + saw.cut + saw.nothing > 0) problems.push('calls did not go on')
  if (saw.nothing > 0) problems.push(`${saw.nothing} callers heard nothing`)
  const stopped = servers.filter(({ child }) => child.exitCode !== null).length
  if (stopped > 0) problems.push(`${stopped} processes ended`)
  const longest_ms = Math.max(0, ...concerned.map(({ ms }) => ms))
  if (longest_ms > LONGEST_MS && event.two === undefined) problems.push(`somebody waited for ${longest_ms} ms`)
  return { event, processes: servers.length, saw, longest_ms, well_ms, booked_ms, problems }
}

async function booked(world: World, since: number): Promise<number | null> {
  while (Date.now() - since < PATIENCE_MS) {
    const asked = Date.now()
    // What is owed since then only is what comes all the time.
    if ((await world.owed_ms().catch(() => Infinity)) < asked - since) return asked - since
    await sleep(100)
  }
  return null
}
