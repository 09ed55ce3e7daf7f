// Returns the factors of size and quality on the price of a generated image.
import { findByWord } from '../dialects/requests/price-words.ts'

/** The requested images of a call: number, size (`1024x1024`) and quality (`hd`). */
export interface ImageRequest {
  n: number
  size?: string
  quality?: string
}

/**
 * Returns the factors to multiply: the one of `quality:size` if the table has it, else those of size and quality. An
 * unlisted word counts as 1 (docs/billing.md, 4.7).
 */
export function getImageFactors(
  table: Record<string, number> | undefined,
  { size, quality }: Omit<ImageRequest, 'n'>,
): readonly number[] {
  const of = (key: string | undefined) => (key === undefined ? undefined : findByWord(table, key))
  const together = size !== undefined && quality !== undefined ? of(`${quality}:${size}`) : undefined
  return together === undefined ? [of(size) ?? 1, of(quality) ?? 1] : [together]
}

/** Size and quality, as a bill has them. */
export const formatKindLabel = ({ size, quality }: Omit<ImageRequest, 'n'>): string =>
  [size, quality].filter((part) => part !== undefined).join(' ')
