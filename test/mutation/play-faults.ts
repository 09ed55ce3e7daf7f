// Plays the faults of `faults.data.ts`, each against the tests of its area.
import { join } from 'node:path'
import { root, sources } from '../support/sources.ts'
import { withChangedFile } from './changed-file.ts'
import { faults, type Fault } from './faults.data.ts'
import type { Player } from './play.ts'
import { timesOf } from './play-mutants.ts'

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
  { file: /^http\//, tests: /^test\/(http|attacks|core)\//, built: false },
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
      const area = AREAS.find(({ file }) => file.test(fault.file))
      if (!area) throw new Error(`${fault.file} is in no area`)
      const tests = sources.filter((file) => /(?<!\.long)\.test\.tsx?$/.test(file) && area.tests.test(file))
      const result = await withChangedFile(
        join(root, fault.file),
        (text) => insert(text, fault),
        async () => {
          if (area.built && !(await player.runScript('build'))) throw new Error(`${fault.name}: it does not build`)
          return player.play(tests)
        },
      )
      const [by] = result.failures
      played.push({ ...fault, caught: !result.passed, ...(by === undefined ? {} : { by }) })
      keep(played)
      say(
        `${result.passed ? 'MISSED' : 'caught'} ${fault.file}: ${fault.name}, ${timesOf(result)}${by ? `, ${by}` : ''}`,
      )
    }
  } finally {
    // What is built is the product's again.
    if (asked.some(({ file }) => /^(cli|console)\//.test(file))) await player.runScript('build')
  }
  const missed = played.filter(({ caught }) => !caught)
  say(`${played.length - missed.length} of ${played.length} faults caught`)
  return missed.length === 0
}

function insert(text: string, { file, find, replace, name }: Fault): string {
  const places = text.split(find).length - 1
  if (places !== 1) throw new Error(`${file}: what “${name}” replaces stands there ${places} times`)
  return text.replace(find, () => replace)
}
