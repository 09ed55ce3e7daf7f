// At the end of a run: what was left out, and why that may be; what passed only at its second try.
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { recordingsHere } from './recordings.ts'

export class RunNotes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const left = tests.filter((test) => test.result().state === 'skipped')
    const files = new Set(left.map(({ module }) => module.relativeModuleId))
    const absent = recordingsHere ? '' : ' There is no ../shared here: scripted vendors stood in for recorded answers.'
    const lines = [
      `Not run: ${left.length} tests${files.size > 0 ? ` (${[...files].join(', ')})` : ''}.${absent}`,
      ...tests.filter((test) => test.diagnostic()?.flaky).map(secondTry),
    ]
    process.stdout.write(`\n ${lines.join('\n ')}\n`)
  }
}

/** A test that depends on luck is a fault, of the test or of Weir: it is named with what it said first. */
function secondTry(test: TestCase): string {
  const [first] = test.result().errors ?? []
  return `Only at the second try: ${test.module.relativeModuleId} > ${test.fullName}\n   ${first?.message.split('\n')[0] ?? ''}`
}
