// Long commands on a disk that gets full, with a small file system in memory (root on Linux): a sentence, nothing half there,
// and the same command finishes when there is room: npx tsx test/e2e/disk-full.ts
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addOwners, fillLogs } from '../bench/fill-logs.ts'
import { answerOf, install, within } from '../support/installation.ts'
import { weir } from '../support/terminal.ts'

const ROWS = 20_000
const MIB = 1024 * 1024

const room = await mkdtemp(join(tmpdir(), 'weir-full-'))
const data = join(room, 'data')
const key = await install({ WEIR_DATA: data })
await fillLogs({ data, key }, ROWS, await addOwners({ data, key }))
const size = Math.ceil((await stat(join(data, 'weir.db'))).size / MIB)
const whole = join(room, 'whole')
await run(data, ['backup', whole, '--with-key', '--unencrypted-key'])

/** A command, its small disk, and what may not be there after it failed. */
interface Case {
  name: string
  /** MiB; too little for it. */
  room: number
  before?(disk: string): Promise<unknown>
  data(disk: string): string
  args(disk: string): string[]
  /** Names of files on the disk, after it failed. */
  halves: RegExp
  /** What must hold, after it failed and after it has finished. */
  works?(disk: string): Promise<boolean>
}

const cases: Case[] = [
  {
    name: 'a backup onto a small disk',
    room: 2,
    data: () => data,
    args: (disk) => ['backup', join(disk, 'file')],
    halves: /./,
  },
  {
    name: 'a backup of a Weir whose own disk is nearly full',
    room: size + 4,
    before: (disk) => cp(data, join(disk, 'data'), { recursive: true }),
    data: (disk) => join(disk, 'data'),
    args: () => ['backup', join(room, 'elsewhere'), '--force'],
    halves: /backup-/,
    works: async (disk) => (await answerOf({ WEIR_DATA: join(disk, 'data') }, key)).status === 200,
  },
  {
    name: 'a restore',
    room: Math.floor(size / 2),
    data: (disk) => join(disk, 'data'),
    args: () => ['restore', whole],
    halves: /weir\.(db|key)|restoring/,
  },
  {
    name: 'a copy',
    room: Math.floor(size / 2),
    data: () => data,
    args: (disk) => ['copy', '--to', join(disk, 'data')],
    halves: /(?!)/,
    works: async (disk) => {
      const served = within({ WEIR_DATA: join(disk, 'data') }, async () => 'served')
      return (await served.catch((error: unknown) => String(error))).includes('not come to its end')
    },
  },
]

let failed = 0
for (const each of cases) {
  const disk = join(room, 'disk')
  await mkdir(disk, { recursive: true })
  mount('-t', 'tmpfs', '-o', `size=${each.room}m`, 'tmpfs', disk)
  try {
    await each.before?.(disk)
    const problems: string[] = []
    const full = await run(each.data(disk), each.args(disk))
    if (full.code !== 1 || !full.stderr.includes('is full')) problems.push(`it said ${full.stderr}`)
    const halves = existsSync(disk)
      ? (await readdir(disk, { recursive: true })).filter((name) => each.halves.test(name))
      : []
    if (halves.length > 0) problems.push(`left: ${halves.join(', ')}`)
    if (each.works && !(await each.works(disk))) problems.push('what was there does not work')
    mount('-o', `remount,size=${size * 8 + 64}m`, disk)
    const again = await run(each.data(disk), each.args(disk))
    if (again.code !== 0) problems.push(`again it said ${again.stderr}`)
    process.stdout.write(`${each.name}: ${problems.length === 0 ? 'well' : `WRONG: ${problems.join('; ')}`}\n`)
    failed += problems.length
  } finally {
    execFileSync('umount', [disk])
  }
}
await rm(room, { recursive: true, force: true })
process.exitCode = failed === 0 ? 0 : 1

function mount(...args: string[]): void {
  execFileSync('mount', args, { stdio: 'inherit' })
}

function run(folder: string, args: string[]) {
  return weir(args, { env: { WEIR_DATA: folder } })
}
