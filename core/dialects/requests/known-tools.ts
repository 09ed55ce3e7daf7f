// The tools of recent requests. An agent sends the same tools with every turn, so a list of tools with the same bytes as one
// before is neither scanned nor parsed again.
import { decodeLatin1, isAscii, isSameAt } from '../json/json-text.ts'

interface KnownTools {
  bytes: Uint8Array
  tools: readonly unknown[]
  /** The cost of parsing them, as `findExcess` counts it. */
  cost: number
  /** Is each letter written as itself, and ASCII? */
  plain: boolean
}

/** A list of tools in a body that was known before. */
export interface FoundTools extends Omit<KnownTools, 'bytes'> {
  /** Their place in the body; end exclusive. */
  start: number
  end: number
}

/** Together with what is parsed of them, at most some 12 MB. */
const MOST_LISTS = 16
/** Shorter lists are parsed as fast. */
const SHORTEST_BYTES = 2048
const LONGEST_BYTES = 128 * 1024

/** The last lists, newest last. */
let lists: KnownTools[] = []
/** For each list: the sum of an estimate over its tools. */
const sums = new WeakMap<readonly unknown[], Map<(tool: unknown) => number, number>>()

/** Finds the known list that starts at this index. */
export function findKnownTools(json: Uint8Array, start: number): FoundTools | undefined {
  for (let at = lists.length - 1; at >= 0; at--) {
    const known = lists[at]!
    if (!isSameAt(json, start, known.bytes)) continue
    if (at < lists.length - 1) lists = [...lists.toSpliced(at, 1), known]
    return { ...known, start, end: start + known.bytes.length }
  }
  return undefined
}

/** Keeps the tools in a range of a body, whose bytes are copied. No one may change the tools afterwards. */
export function keepTools(
  json: Uint8Array,
  { start, end, cost }: { start: number; end: number; cost: number },
  tools: readonly unknown[],
): void {
  if (end - start < SHORTEST_BYTES || end - start > LONGEST_BYTES) return
  const bytes = json.slice(start, end)
  const text = decodeLatin1(bytes)
  const known = { bytes, tools, cost, plain: isAscii(text) && !text.includes('\\u') }
  lists = [...lists.slice(1 - MOST_LISTS), known]
  sums.set(tools, new Map())
}

/** Adds up an estimate over tools. The sum of a known list is computed once. */
export function sumTools(tools: readonly unknown[], estimate: (tool: unknown) => number): number {
  const known = sums.get(tools)
  const sum = known?.get(estimate) ?? tools.reduce<number>((before, tool) => before + estimate(tool), 0)
  known?.set(estimate, sum)
  return sum
}
