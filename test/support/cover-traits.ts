// A part of many cases for `npm test`, chosen so that everything in them appears at least once: pairs in place of products.
import { runsAllTests } from './suite.ts'

/** All cases in `npm run test:all`; in `npm test` those that have a trait that none of the chosen cases before them has. */
export function coverTraits<Case>(cases: readonly Case[], listTraits: (one: Case) => readonly string[]): Case[] {
  const covered = new Set<string>()
  return cases.filter((one) => {
    const added = listTraits(one).filter((trait) => !covered.has(trait))
    for (const trait of added) covered.add(trait)
    return runsAllTests || added.length > 0
  })
}
