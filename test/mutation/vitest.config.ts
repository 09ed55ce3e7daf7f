// How `play.ts` runs tests: those it lists, in its order, with what has been transformed kept for the next run.
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from '../support/sources.ts'
import tests from '../vitest.config.ts'
import { isTarget } from './mutants.ts'
import { markParts } from './reach.ts'

/** From the root, one a line. */
const files = (process.env['WEIR_PLAYED_TESTS'] ?? '').split('\n')
/** Where each test file writes which parts it reaches; nothing is written without it. */
const reaches = process.env['WEIR_REACH_FOLDER'] !== undefined

class AsListed extends BaseSequencer {
  override async sort(given: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => files.indexOf(relative(root, moduleId))
    return given.sort((one, other) => placeOf(one) - placeOf(other))
  }
}

export default defineConfig({
  ...tests,
  plugins: reaches
    ? [
        {
          name: 'mark-parts',
          enforce: 'pre',
          transform: (text, id) => {
            const file = relative(root, id)
            return isTarget(file) ? { code: markParts(file, text), map: null } : undefined
          },
        },
      ]
    : [],
  test: {
    ...tests.test,
    include: files,
    globalSetup: ['test/support/unpack-browser.ts'],
    // To start a server takes longer than most runs: the script has started one for all.
    provide: { postgresUrl: process.env['WEIR_POSTGRES_URL'] ?? '' },
    setupFiles: ['test/support/fix-seed.ts', ...(reaches ? ['test/mutation/write-reach.ts'] : [])],
    // What a file would leave to the next one is reached by each.
    isolate: reaches,
    sequence: { sequencer: AsListed },
    reporters: ['json'],
    // Its key is what the file says, so a mutant is transformed anew and everything else is not.
    experimental: { fsModuleCache: true },
  },
})
