// Draws ten statements of the checklist, the same for the same seed: `npx tsx test/console/checklist/draw.ts SEED`.
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { claims } from './parts.ts'

/** As many are drawn. */
const TEN = 10

/** Each number gets its place by a hash with the seed: which come first hangs on nothing else. */
export const drawn = (numbers: readonly string[], seed: string): string[] =>
  numbers
    .map((number) => [createHash('sha256').update(`${seed} ${number}`).digest('hex'), number] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, TEN)
    .map(([, number]) => number)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const seed = process.argv[2] ?? ''
  for (const number of drawn(Object.keys(claims), seed))
    process.stdout.write(`${number} ${claims[number]?.says ?? ''}\n`)
}
