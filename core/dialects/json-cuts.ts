// Members and elements cut out of JSON as bytes, or put in, at any depth: every other byte stays as it was.
import { join, type ByteRange } from './json-bytes.ts'

/** What goes when some of the neighbours in one object or list go: each run of them with the comma that it leaves behind. */
export function cutsAmong(siblings: readonly ByteRange[], goes: (index: number) => boolean): ByteRange[] {
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

/** A range that goes, and what stands in its place; an empty range is a place where something is put in. */
export interface Splice extends ByteRange {
  put?: Uint8Array
}

/** The bytes with these ranges spliced, none of which overlap; the very same bytes where there are none. */
export function spliceRanges(json: Uint8Array, splices: readonly Splice[]): Uint8Array {
  if (splices.length === 0) return json
  const parts: Uint8Array[] = []
  let from = 0
  for (const { start, end, put } of splices.toSorted((one, other) => one.start - other.start)) {
    parts.push(json.subarray(from, start))
    if (put) parts.push(put)
    from = end
  }
  return join([...parts, json.subarray(from)])
}
