// Changes the product one line at a time, and tells which of the changes the tests of `npm test` notice.
//   npx tsx test/mutation/run.ts --mutants 300 --seed 40 --only core/quota --out results.json
//   npx tsx test/mutation/run.ts --from results.json --stage 2 --out results.json
//   npx tsx test/mutation/run.ts --faults --only console
// The first stage plays the tests in test/core that `vitest related` names for the file, the second the rest of them for
// what survives the first. A list of `--list FILE` is played by `--from FILE`; mutants with an outcome are not played again.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createFakeRandom } from '../support/random.ts'
import { root } from '../support/sources.ts'
import { drawMutants, listTargets } from './mutants.ts'
import { openPlayer } from './play.ts'
import { playFaults } from './play-faults.ts'
import { isOpen, playMutants, type PlayedMutant } from './play-mutants.ts'
import type { Reach } from './reach.ts'

const { values } = parseArgs({
  options: {
    mutants: { type: 'string', default: '300' },
    seed: { type: 'string', default: '40' },
    /** What the names of the files begin with; with `--faults` what is in them. */
    only: { type: 'string', default: '' },
    list: { type: 'string' },
    from: { type: 'string' },
    out: { type: 'string' },
    /** `2/3`: the second of three parts, for several working trees at once. */
    part: { type: 'string', default: '1/1' },
    /** 1 or 2; both when it is left out. */
    stage: { type: 'string', default: '1,2' },
    /** At most so many test files of a stage, those that import the mutant most directly. */
    nearest: { type: 'string' },
    /** Where what was measured of the tests is kept for later runs, on the same tests. */
    reach: { type: 'string' },
    workers: { type: 'string', default: '1' },
    faults: { type: 'boolean', default: false },
  },
})

const say = (line: string) => process.stdout.write(`${line}\n`)
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const write = (path: string | undefined, content: unknown) => {
  if (path) writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
}

async function listMutants(): Promise<PlayedMutant[]> {
  if (values.from) return readJson(values.from) as PlayedMutant[]
  const files = listTargets().filter((file) => file.startsWith(values.only))
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  return drawMutants(texts, Number(values.mutants), createFakeRandom(Number(values.seed)))
}

const [part = 1, parts = 1] = values.part.split('/').map(Number)
const player = values.list ? undefined : await openPlayer(values.workers)
try {
  if (values.faults && player) {
    process.exitCode = (await playFaults(player, {
      only: values.only,
      say,
      keep: (played) => write(values.out, played),
    }))
      ? 0
      : 1
  } else {
    const mutants = (await listMutants()).filter((_, index) => index % parts === part - 1)
    if (!player) write(values.list, mutants)
    else {
      const reach = values.reach && existsSync(values.reach) ? (readJson(values.reach) as Record<string, Reach>) : {}
      await playMutants(player, mutants, {
        stages: values.stage.split(',').map(Number),
        nearest: Number(values.nearest ?? Infinity),
        reach,
        say,
        keep: () => {
          write(values.out, mutants)
          write(values.reach, reach)
        },
      })
      report(mutants)
    }
  }
} finally {
  await player?.close()
}

function report(mutants: readonly PlayedMutant[]): void {
  const folderOf = ({ file }: PlayedMutant) => file.split('/').slice(0, 2).join('/')
  say('')
  for (const mutant of mutants.filter(({ outcome }) => outcome === 'survived')) {
    say(`${mutant.file}:${mutant.line} ${mutant.change}\n  - ${mutant.before.trim()}\n  + ${mutant.after.trim()}`)
  }
  for (const folder of [...new Set(mutants.map(folderOf)), '']) {
    const played = mutants.filter((mutant) => mutant.outcome && folderOf(mutant).startsWith(folder))
    const killed = played.filter(({ outcome }) => outcome !== 'survived').length
    const share = ((100 * killed) / (played.length || 1)).toFixed(1)
    say(`${(folder || 'in all').padEnd(14)} ${killed} of ${played.length} killed, ${share} %`)
  }
  const left = mutants.filter(isOpen).length
  if (left > 0) say(`${left} were not played`)
}
