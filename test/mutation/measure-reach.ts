// Plays test files once without a mutant, and tells of each how long it takes and which parts of the product it reaches.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Player } from './play.ts'

export interface Reach {
  seconds: number
  parts: readonly string[]
  /** Fails even without a mutant. */
  fails: boolean
}

/** By file; a file that wrote nothing down could not be loaded, and fails. */
export async function measureReach(player: Player, tests: readonly string[]): Promise<Record<string, Reach>> {
  const reachFolder = mkdtempSync(join(tmpdir(), 'weir-reach-'))
  try {
    const { seconds, failedFiles } = await player.play(tests, { reachFolder })
    const reachOf = (test: string): Reach => {
      const path = join(reachFolder, `${test.replaceAll('/', '+')}.json`)
      const parts = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as string[]) : []
      return { seconds: seconds[test] ?? 0, parts, fails: !existsSync(path) || failedFiles.includes(test) }
    }
    return Object.fromEntries(tests.map((test) => [test, reachOf(test)]))
  } finally {
    rmSync(reachFolder, { recursive: true, force: true })
  }
}
