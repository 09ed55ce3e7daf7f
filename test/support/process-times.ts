// CPU time of a process together with its children. Linux keeps it under /proc; other systems report the process alone.
import { readdirSync, readFileSync } from 'node:fs'

/** Linux reports CPU time in hundredths of a second, whatever its own clock ticks at. */
const TICKS_PER_SECOND = 100

/** The variable by which `test/run.ts` tells what the build has cost, in CPU seconds. */
export const BUILD_SECONDS_VARIABLE = 'WEIR_TEST_BUILD_SECONDS'

interface ProcessTimes {
  program: string
  parent: number
  /** CPU seconds of the process and of those of its children that have ended. */
  seconds: number
}

/**
 * CPU seconds that this process, its living descendants and their ended children have used so far.
 *
 * @param program counts only the processes of this program
 */
export function readTreeSeconds(program?: string): number {
  if (process.platform !== 'linux') {
    if (program) return 0
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const processes = new Map<number, ProcessTimes>()
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? readTimes(name) : undefined
    if (times) processes.set(Number(name), times)
  }
  const belongs = (id: number): boolean => {
    if (id === process.pid) return true
    const parent = processes.get(id)?.parent
    return parent !== undefined && belongs(parent)
  }
  const counts = (id: number, name: string) => belongs(id) && (program === undefined || name === program)
  return [...processes].reduce((sum, [id, each]) => (counts(id, each.program) ? sum + each.seconds : sum), 0)
}

/** The fields of proc(5), which follow the name in parentheses; undefined for a process that has just ended. */
function readTimes(id: string): ProcessTimes | undefined {
  try {
    const line = readFileSync(`/proc/${id}/stat`, 'utf8')
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    const program = line.slice(line.indexOf('(') + 1, line.lastIndexOf(')'))
    return { program, parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND }
  } catch {
    return undefined
  }
}
