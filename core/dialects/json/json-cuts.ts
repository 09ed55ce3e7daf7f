// Cuts members and elements out of JSON bytes, or inserts them, at any depth. Every other byte stays as it was.
import { joinByteArrays, type ByteRange } from './json-bytes.ts'

/**
 * Returns the ranges to cut for some neighbors in one object or list: each run of them with the comma that it would
 * leave.
 */
export function findCuts(siblings: readonly ByteRange[], goes: (index: number) => boolean): ByteRange[] {
  const cuts: ByteRange[] = []
  for (let from = 0; from < siblings.length; from++) {
    if (!goes(from)) continue
    let to = from
    while (to + 1 < siblings.length && goes(to + 1)) to++
    const next = siblings[to + 1]
    const before = siblings[from - 1]
    cuts.push({
      start: !next && before ? before.end : siblings[from]!.start,
      end: next ? next.start : siblings[to]!.end,
    })
    from = to
  }
  return cuts
}

/** A range to replace and its replacement; an empty range is an insertion point. */
export interface ByteSplice extends ByteRange {
  put?: Uint8Array
}

/** Applies splices, which must not overlap. Returns the same array if there are none. */
export function applyByteSplices(json: Uint8Array, splices: readonly ByteSplice[]): Uint8Array {
  if (splices.length === 0) return json
  const parts: Uint8Array[] = []
  let from = 0
  for (const { start, end, put } of splices.toSorted((one, other) => one.start - other.start)) {
    parts.push(json.subarray(from, start))
    if (put) parts.push(put)
    from = end
  }
  return joinByteArrays([...parts, json.subarray(from)])
}
