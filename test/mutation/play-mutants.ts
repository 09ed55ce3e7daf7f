// Plays mutants in stages: first the quick tests of the core, then, for what survives them, the rest.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { imports, root } from '../support/sources.ts'
import { mutate, placeOf, type Mutant } from './mutants.ts'
import { withChangedFile, type Played, type Player } from './play.ts'
import { measureReach, partAt, type Reach } from './reach.ts'

export interface PlayedMutant extends Mutant {
  outcome?: 'killed' | 'timed out' | 'survived'
  /** The last stage that was played. */
  stage?: number
  /** The test that failed. */
  by?: string
}

export interface MutantOptions {
  stages: readonly number[]
  nearest: number
  /** What was measured in an earlier run; what is missing is measured and added. */
  reach: Record<string, Reach>
  say(line: string): void
  /** After each mutant, and after tests were measured. */
  keep(): void
}

/** Stage by stage: the tests of which part of the tree. */
const STAGES: Record<number, (test: string) => boolean> = {
  1: (test) => test.startsWith('test/core/'),
  2: (test) => !test.startsWith('test/core/'),
}

/** Tests that take longer than this come last, however directly they import what is mutated. */
const QUICK_S = 3
const LEAST_LIMIT_S = 60

export const isOpen = ({ outcome }: PlayedMutant): boolean => outcome === undefined

export async function playMutants(player: Player, mutants: PlayedMutant[], options: MutantOptions): Promise<void> {
  for (const stage of options.stages) await playStage(player, stage, mutants, options)
}

async function playStage(
  player: Player,
  stage: number,
  mutants: PlayedMutant[],
  options: MutantOptions,
): Promise<void> {
  const { nearest, reach, say, keep } = options
  const left = mutants.filter((one) => isOpen(one) || (one.outcome === 'survived' && (one.stage ?? 0) < stage))
  const relatedTo = ({ file }: Mutant) => listRelatedTests(file).filter(STAGES[stage]!)
  const related = [...new Set(left.flatMap(relatedTo))]
  const unmeasured = related.filter((test) => !reach[test])
  say(
    `stage ${stage}: ${left.length} mutants, ${related.length} files of tests; ${unmeasured.length} run without a mutant`,
  )
  if (unmeasured.length > 0) Object.assign(reach, await measureReach(player, unmeasured))
  const failing = related.filter((test) => reach[test]?.fails)
  if (failing.length > 0) say(`left out, because they fail by themselves: ${failing.join(', ')}`)
  keep()
  for (const [index, mutant] of left.entries()) {
    const path = join(root, mutant.file)
    const text = readFileSync(path, 'utf8')
    const reached = partAt(mutant.file, text, placeOf(text, mutant))
    const tests = relatedTo(mutant)
      .filter((test) => !reach[test]!.fails && (!reached || reach[test]!.parts.includes(reached)))
      .sort((one, other) => slownessOf(reach[one]!) - slownessOf(reach[other]!))
      .slice(0, nearest)
    const limit_s = tests.reduce((sum, test) => sum + 4 * reach[test]!.seconds, LEAST_LIMIT_S)
    const played = await withChangedFile(
      path,
      (text) => mutate(text, mutant),
      () => player.play(tests, { limit_s }),
    )
    const [by] = played.failures
    Object.assign(mutant, { outcome: outcomeOf(played), stage, ...(by === undefined ? {} : { by }) })
    keep()
    const place = `${index + 1}/${left.length} ${mutant.file}:${mutant.line} ${mutant.change}`
    say(`${place}: ${mutant.outcome}, ${tests.length} files, ${timesOf(played)}${by === undefined ? '' : `, ${by}`}`)
  }
}

const slownessOf = ({ seconds }: Reach): number => (seconds > QUICK_S ? seconds : 0)

export const timesOf = ({ wall_s, cpu_s }: Played): string => `${wall_s.toFixed(1)} s, ${cpu_s.toFixed(1)} s CPU`

function outcomeOf({ passed, late }: Played): NonNullable<PlayedMutant['outcome']> {
  if (passed) return 'survived'
  return late ? 'timed out' : 'killed'
}

const importers = new Map<string, string[]>()
for (const { from, to, typeOnly } of imports) if (!typeOnly) importers.set(to, [...(importers.get(to) ?? []), from])

/**
 * The tests that import a file, directly or through others, as `vitest related` finds them; first those with the fewest
 * files between. Without those that only `npm run test:all` plays.
 */
export function listRelatedTests(file: string): string[] {
  const reached = new Set([file])
  for (const each of reached) for (const from of importers.get(each) ?? []) reached.add(from)
  return [...reached].filter((each) => /(?<!\.long)\.test\.tsx?$/.test(each))
}
