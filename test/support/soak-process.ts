// Reads the operating system's data about a server's process and the files in its folder. Uses /proc, so it needs
// Linux.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface ProcessNow {
  resident_mib: number
  /** CPU time used so far, in seconds. */
  cpu_seconds: number
  descriptors: number
  database_mib: number
  wal_mib: number
  /** All else in the folder: the journal, what is lent to other places. */
  other_mib: number
}

/** Ticks of the system's clock in a second, on every Linux that Node runs on. */
const TICKS = 100
const MIB = 1024 * 1024

export async function processNow({ pid, folder }: { pid: number; folder: string }): Promise<ProcessNow> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const resident = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1])
  // The name in parentheses may hold spaces; user and system time are the 12th and 13th field behind it.
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? []
  const descriptors = (await readdir(`/proc/${pid}/fd`)).length
  const cpu = (Number(fields[11]) + Number(fields[12])) / TICKS
  return { resident_mib: tenth(resident / 1024), cpu_seconds: cpu, descriptors, ...(await filesIn(folder)) }
}

async function filesIn(folder: string): Promise<Pick<ProcessNow, 'database_mib' | 'wal_mib' | 'other_mib'>> {
  const sums = { database_mib: 0, wal_mib: 0, other_mib: 0 }
  for (const name of await readdir(folder, { recursive: true })) {
    // Some are gone again.
    const found = await stat(join(folder, name)).catch(() => null)
    if (!found?.isFile()) continue
    const part = name.endsWith('-wal') ? 'wal_mib' : name.endsWith('.db') ? 'database_mib' : 'other_mib'
    sums[part] += found.size / MIB
  }
  return { database_mib: tenth(sums.database_mib), wal_mib: tenth(sums.wal_mib), other_mib: tenth(sums.other_mib) }
}

const tenth = (amount: number) => Math.round(amount * 10) / 10
