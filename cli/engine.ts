// How V8 runs Weir, each with its figure in test/bench/PROFILE.md: flags, set before anything of it is compiled, and the memory
// of the start.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Flags that Node 20 to 26 all know. */
export const ENGINE: readonly string[] = [
  // V8 would come to make what a call needs in the old heap, for it is kept until it is booked; from there all that the call
  // has touched is let go by full collections alone: 10 KB a call in place of 2.
  '--no-allocation-site-pretenuring',
  // A young heap that has shrunk in a quiet minute grows back at once: else the next crowd's calls are old before they are booked.
  '--semi-space-growth-factor=16',
  // Eight quiet seconds would have V8 give memory back, and with it what it knows of the code: the next crowd found it cold.
  // Ten minutes are a rest in which a quarter of the memory is worth that.
  '--gc-memory-reducer-start-delay-ms=600000',
  // Streams and sockets come in more shapes than four.
  '--max-valid-polymorphic-map-count=8',
]

/** V8 gives memory back where little was made since the collection before: so the second one behind the start does; in ms. */
const REST_MS = 5_000

/**
 * The start leaves 30 MB of young heap that nobody needs at rest: two short collections (5 ms each) give them back. Called once
 * the server listens.
 */
export function restAfterStart(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: { type: 'minor' }) => void
  setFlagsFromString('--no-expose-gc')
  for (const after_ms of [REST_MS, 2 * REST_MS]) setTimeout(() => collect({ type: 'minor' }), after_ms).unref()
}
