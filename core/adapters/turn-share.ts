// How much of what has come is read in one turn of the event loop. Lines may be empty, and each is work: 64 KiB of blank
// lines are 65,536 events to a reader.

/** So many lines are read in one turn. */
export const MAX_LINES = 256
/** Framing without lines has items of 16 bytes or more. */
const MAX_BYTES = 64 * 1024
const LF = 10
const CR = 13

/** The length of the beginning of `run` that one turn may read: the whole run, nearly always. */
export function turnShare(run: Uint8Array): number {
  if (run.length <= MAX_LINES) return run.length
  const share = run.length > MAX_BYTES ? run.subarray(0, MAX_BYTES) : run
  return Math.min(linesEnd(share, LF), linesEnd(share, CR))
}

/** The index behind the last line that may be read; lines end with `mark`. */
function linesEnd(run: Uint8Array, mark: number): number {
  let end = 0
  for (let lines = 0; lines < MAX_LINES; lines++) {
    const at = run.indexOf(mark, end)
    if (at < 0) return run.length
    end = at + 1
  }
  return end
}
