// At the end of a run: what was left out, and why that may be.
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { recordingsHere } from './recordings.ts'

export class NotRun implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    const left = skipped.filter((test: TestCase) => test.result().state === 'skipped')
    const files = new Set(left.map(({ module }) => module.relativeModuleId))
    const absent = recordingsHere ? '' : ' There is no ../shared here: scripted vendors stood in for recorded answers.'
    process.stdout.write(
      `\n Not run: ${left.length} tests${files.size > 0 ? ` (${[...files].join(', ')})` : ''}.${absent}\n`,
    )
  }
}
