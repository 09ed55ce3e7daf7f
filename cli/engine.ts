// Settings of V8 for Weir, each measured in test/bench/PROFILE.md: flags, set before anything of it is compiled, and
// the memory after the start.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Flags that Node 20 to 26 all support. */
export const ENGINE: readonly string[] = [
  // A call's objects live until it is booked, so V8 would learn to allocate them in the old generation, which only full
  // collections free: 10 KB a call instead of 2.
  '--no-allocation-site-pretenuring',
  // A young generation that shrank in a quiet minute grows back immediately. Otherwise objects of the next burst are
  // promoted before they are booked.
  '--semi-space-growth-factor=16',
  // After eight idle seconds V8 would release memory together with compiled code, and the next burst would start cold.
  // After ten idle minutes, a quarter of the memory is worth that.
  '--gc-memory-reducer-start-delay-ms=600000',
  // Streams and sockets have more than four hidden classes.
  '--max-valid-polymorphic-map-count=8',
]

/**
 * Flags of commands other than `serve`: most end before optimized code pays, so functions are optimized later. From Node 22
 * on, whose V8 12 does not know the flag, there is nothing to gain by its successors.
 */
export const COMMAND_ENGINE: readonly string[] =
  Number.parseInt(process.versions.v8) < 12 ? ['--interrupt-budget=1000000'] : []

/**
 * Time to the first collection after the start, and between two, in ms. V8 releases memory only if little was
 * allocated since the previous collection, as in a quiet moment.
 */
const COLLECT_AFTER_MS = 5_000
/** After a start on a new database V8 takes three. */
const MAX_COLLECTIONS = 6
/** Bytes of a young generation that has shrunk. */
const SMALL = 4 * 2 ** 20

/**
 * Releases 30 MB of young generation that the start leaves and an idle server does not need, with short collections
 * (5 ms each). Called once the server listens.
 */
export function releaseMemoryAfterStart(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: { type: 'minor' }) => void
  setFlagsFromString('--no-expose-gc')
  const plan = (left: number) => {
    const work = () => {
      collect({ type: 'minor' })
      if (left > 1 && getYoungBytes() > SMALL) plan(left - 1)
    }
    setTimeout(work, COLLECT_AFTER_MS).unref()
  }
  plan(MAX_COLLECTIONS)
}

const getYoungBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
