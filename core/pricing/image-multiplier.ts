// What size and quality make of the price of one generated image.
import { Exact } from './exact.ts'

/** The images of a call, as asked for: how many, which size (`1024x1024`) and quality (`hd`). */
export interface Images {
  n: number
  size?: string
  quality?: string
}

/**
 * `quality:size` where the table has both together, else size times quality; what it does not name counts 1
 * (billing reference, 4.7).
 */
export function imageMultiplier(
  table: Record<string, number> | undefined,
  { size, quality }: Omit<Images, 'n'>,
): Exact {
  const of = (key: string | undefined) =>
    table && key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined
  const together = size !== undefined && quality !== undefined ? of(`${quality}:${size}`) : undefined
  return together === undefined ? new Exact(of(size) ?? 1).times(of(quality) ?? 1) : new Exact(together)
}
