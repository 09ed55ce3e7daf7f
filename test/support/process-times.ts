// CPU time of a process together with its children. Linux keeps it under /proc; other systems report the process alone.
import { readdirSync, readFileSync } from 'node:fs'

/** Linux reports CPU time in hundredths of a second, whatever its own clock ticks at. */
const TICKS_PER_SECOND = 100

interface ProcessTimes {
  parent: number
  /** CPU seconds of the process and of those of its children that have ended. */
  seconds: number
}

/** CPU seconds that this process, its living descendants and their ended children have used so far. */
export function readTreeSeconds(): number {
  if (process.platform !== 'linux') {
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
  return [...processes].reduce((sum, [id, { seconds }]) => (belongs(id) ? sum + seconds : sum), 0)
}

/** The fields of proc(5), which follow the name in parentheses; undefined for a process that has just ended. */
function readTimes(id: string): ProcessTimes | undefined {
  try {
    const line = readFileSync(`/proc/${id}/stat`, 'utf8')
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND }
  } catch {
    return undefined
  }
}
