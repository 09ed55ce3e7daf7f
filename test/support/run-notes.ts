// The last lines of a run: which tests were left out, and which files cost the most. It fails a run of `npm test` in which the
// tests of the terminal start the built command too often.
import type { Reporter, TestModule } from 'vitest/node'
import { BUILD_SECONDS_VARIABLE, readTreeSeconds } from './process-times.ts'
import { recordingsHere } from './recordings.ts'
import { MOST_STARTED } from './started-commands.ts'
import { runsAllTests } from './suite.ts'

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
      `CPU: ${sumCpuSeconds(modules).toFixed(0)} s, the build included.`,
    ]
    process.stdout.write(`\n ${lines.join('\n ')}\n`)
    const excess = runsAllTests ? undefined : tellTooManyStarted(modules)
    if (excess === undefined) return
    process.stderr.write(`\n ${excess}\n`)
    process.exitCode = 1
  }
}

/**
 * CPU seconds of the build, of this process, of PostgreSQL, and of each file with the processes that its worker has started: these
 * end with their worker, and no parent of theirs counts them.
 */
function sumCpuSeconds(modules: readonly TestModule[]): number {
  const { user, system } = process.cpuUsage()
  const build = Number(process.env[BUILD_SECONDS_VARIABLE] ?? 0)
  const shared = build + (user + system) / 1e6 + readTreeSeconds('postgres')
  return modules.reduce((sum, module) => sum + (module.meta().cpuSeconds ?? 0), shared)
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

/** What is wrong where the files of test/cli started the built command too often; undefined where they did not. */
export function tellTooManyStarted(modules: readonly TestModule[]): string | undefined {
  const starts = modules
    .filter((module) => module.relativeModuleId.startsWith('test/cli/'))
    .map((module) => ({ name: module.relativeModuleId, started: module.meta().started ?? 0 }))
    .filter(({ started }) => started > 0)
  const sum = starts.reduce((total, { started }) => total + started, 0)
  if (sum <= MOST_STARTED) return undefined
  const list = starts.map(({ name, started }) => `${name} ${started}`).join(', ')
  return `test/cli started the built command ${sum} times, and may ${MOST_STARTED} times: ${list}.`
}
