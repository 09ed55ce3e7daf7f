// Which tests a file of the product has a part in: those that import it, directly or through others, as `vitest related` finds them.
import { imports } from '../support/sources.ts'

const importers = new Map<string, string[]>()
for (const { from, to, typeOnly } of imports) if (!typeOnly) importers.set(to, [...(importers.get(to) ?? []), from])

/** From the root; first those with the fewest files between. Without those that only `npm run test:all` plays. */
export function listRelatedTests(file: string): string[] {
  const reached = new Set([file])
  for (const each of reached) for (const from of importers.get(each) ?? []) reached.add(from)
  return [...reached].filter((each) => /(?<!\.long)\.test\.tsx?$/.test(each))
}
