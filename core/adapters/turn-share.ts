// Limits how much data is read in one turn of the event loop. Empty lines are work as well: 64 KiB of blank lines are
// 65,536 events to a reader.

/** Maximum number of lines per turn. */
export const MAX_LINES_PER_TURN = 256
/** Maximum bytes per turn. Framing without lines has items of 16 bytes or more. */
const MAX_BYTES = 64 * 1024
const LF = 10
const CR = 13

/** Returns the length of the part of `run` that one turn may read: nearly always the whole run. */
export function getTurnShare(run: Uint8Array): number {
  if (run.length <= MAX_LINES_PER_TURN) return run.length
  const share = run.length > MAX_BYTES ? run.subarray(0, MAX_BYTES) : run
  return Math.min(linesEnd(share, LF), linesEnd(share, CR))
}

/** Returns the index after the last line that may be read. Lines end with `mark`. */
function linesEnd(run: Uint8Array, mark: number): number {
  let end = 0
  for (let lines = 0; lines < MAX_LINES_PER_TURN; lines++) {
    const at = run.indexOf(mark, end)
    if (at < 0) return run.length
    end = at + 1
  }
  return end
}
