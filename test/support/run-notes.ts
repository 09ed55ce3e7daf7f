// The last lines of a run: which tests were left out, and which files cost the most.
import type { Reporter, TestModule } from 'vitest/node'
import { recordingsHere } from './recordings.ts'

const MOST_EXPENSIVE = 10

export class RunNotes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const left = tests.filter((test) => test.result().state === 'skipped')
    const files = new Set(left.map(({ module }) => module.relativeModuleId))
    const absent = recordingsHere ? '' : ' There is no ../shared here: scripted vendors stood in for recorded answers.'
    const lines = [
      `Not run: ${left.length} tests${files.size > 0 ? ` (${[...files].join(', ')})` : ''}.${absent}`,
      'The most expensive files:',
      ...listMostExpensive(modules),
    ]
    process.stdout.write(`\n ${lines.join('\n ')}\n`)
  }
}

function listMostExpensive(modules: readonly TestModule[]): string[] {
  const costs = modules.map((module) => ({
    name: module.relativeModuleId,
    cpu: module.meta().cpuSeconds ?? 0,
    wall: module.diagnostic().duration / 1000,
  }))
  return costs
    .sort((one, other) => other.cpu - one.cpu)
    .slice(0, Number(process.env['WEIR_TEST_COSTS'] ?? MOST_EXPENSIVE))
    .map(({ name, cpu, wall }) => `${cpu.toFixed(1).padStart(7)} s CPU ${wall.toFixed(1).padStart(7)} s  ${name}`)
}
