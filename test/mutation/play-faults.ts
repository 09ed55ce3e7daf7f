// Plays the faults of `faults.data.ts`, each against the tests of its area.
import { join } from 'node:path'
import { root, sources } from '../support/sources.ts'
import { faults, type Fault } from './faults.data.ts'
import { withChangedFile, type Played, type Player } from './play.ts'
import { listRelatedTests, timesOf } from './play-mutants.ts'

export interface FaultOptions {
  /** Only faults whose file or name has this text. */
  only: string
  say(line: string): void
  /** After each fault. */
  keep(played: readonly PlayedFault[]): void
}

export interface PlayedFault extends Fault {
  caught: boolean
  by?: string
}

interface Area {
  file: RegExp
  tests: RegExp
  /** Its tests use what `npm run build` makes. */
  built: boolean
}

const AREAS: readonly Area[] = [
  { file: /^(http\/|core\/(?!adapters\/))/, tests: /^test\/(http|attacks|core)\//, built: false },
  { file: /^core\/adapters\/knex\//, tests: /^test\/(storage|core|http)\//, built: false },
  { file: /^cli\//, tests: /^test\/(cli\/|[a-z]+\.test)/, built: true },
  { file: /^console\//, tests: /^test\/(console\/|[a-z]+\.test)/, built: true },
]

/** Whether the tests caught all of them. */
export async function playFaults(player: Player, { only, say, keep }: FaultOptions): Promise<boolean> {
  const asked = faults.filter(({ file, name }) => `${file} ${name}`.includes(only))
  const played: PlayedFault[] = []
  try {
    for (const fault of asked) {
      const result = await playFault(player, fault)
      const [by] = result.failures
      played.push({ ...fault, caught: !result.passed, ...(by === undefined ? {} : { by }) })
      keep(played)
      const told = `${fault.file}: ${fault.name}, ${timesOf(result)}`
      say(`${result.passed ? 'MISSED' : 'caught'} ${told}${by === undefined ? '' : `, ${by}`}`)
    }
  } finally {
    // What is built is the product's again.
    if (asked.some(({ file }) => areaOf(file).built)) await player.runScript('build')
  }
  const missed = played.filter(({ caught }) => !caught)
  say(`${played.length - missed.length} of ${played.length} faults caught`)
  return missed.length === 0
}

/** A test only counts where it fails again alone, and passes without the fault. */
async function playFault(player: Player, fault: Fault): Promise<Played> {
  const area = areaOf(fault.file)
  const play = async (tests: readonly string[]) => {
    if (area.built && !(await player.runScript('build'))) throw new Error(`${fault.name}: it does not build`)
    return player.play(tests)
  }
  const playFaulty = (tests: readonly string[]) =>
    withChangedFile(
      join(root, fault.file),
      (text) => insert(text, fault),
      () => play(tests),
    )
  let tests = listTests(fault.file, area)
  for (;;) {
    const result = await playFaulty(tests)
    const [failed] = result.failedFiles
    if (failed === undefined || (!(await playFaulty([failed])).passed && (await play([failed])).passed)) return result
    tests = tests.filter((test) => test !== failed)
  }
}

function areaOf(file: string): Area {
  const area = AREAS.find((one) => one.file.test(file))
  if (!area) throw new Error(`${file} is in no area`)
  return area
}

/** Those that import the file most directly come first; what is built, others use as well. */
function listTests(file: string, area: Area): string[] {
  const others = area.built ? sources.filter((each) => /(?<!\.long)\.test\.tsx?$/.test(each)) : []
  return [...new Set([...listRelatedTests(file), ...others])].filter((each) => area.tests.test(each))
}

function insert(text: string, { file, find, replace, name }: Fault): string {
  const places = text.split(find).length - 1
  if (places !== 1) throw new Error(`${file}: what “${name}” replaces stands there ${places} times`)
  return text.replace(find, () => replace)
}
