// Writes ../STORAGE.md, whose rows were all played: npx tsx test/faults/storage/page.ts (after a build; Linux, a C compiler)
// One part of it, without the page: --kind sqlite|postgres --processes 1|2 --only 'part of a name'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { markdownTable } from '../../support/markdown-table.ts'
import { runPostgres } from '../../support/postgres-server.ts'
import { events } from './events.ts'
import { play, type Played } from './rig.ts'
import { openWorld } from './world.ts'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const { values } = parseArgs({
  options: { kind: { type: 'string' }, processes: { type: 'string' }, only: { type: 'string' } },
})
const say = (line: string) => process.stdout.write(`${line}\n`)

const room = await mkdtemp(join(tmpdir(), 'weir-disk-'))
const failing = join(room, 'disk.so')
execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', failing, here('disk.c'), '-ldl'])
const server = values.kind === 'sqlite' ? undefined : await runPostgres(['-c', 'max_connections=100'])

/** SQLite belongs to one process. */
const worlds = [
  { kind: 'sqlite', processes: 1 },
  { kind: 'postgres', processes: 1 },
  { kind: 'postgres', processes: 2 },
] as const
const played: Played[] = []
let wrong = 0
for (const { kind, processes } of worlds) {
  if ((values.kind ?? kind) !== kind || Number(values.processes ?? processes) !== processes) continue
  const wanted = events.filter((event) => event.kind === kind && (!event.two || processes === 2))
  const chosen = wanted.filter(({ name }) => name.includes(values.only ?? ''))
  if (chosen.length === 0) continue
  const world = await openWorld({ processes, ...(kind === 'postgres' ? { server } : { failing }) })
  try {
    for (const event of chosen) {
      const row = await play(world, event)
      played.push(row)
      say(`${kind} × ${processes}: ${event.name}: ${JSON.stringify({ ...row, event: undefined })}`)
      wrong += row.problems.length
    }
    const problems = await world.compare()
    say(
      `${kind} × ${processes}: ${world.load.calls.length} calls; ${problems.slice(0, 20).join('; ') || 'the books are whole'}`,
    )
    wrong += problems.length
    if (problems.length > 0) await writeFile(join(tmpdir(), `weir-said-${kind}-${processes}.log`), world.said())
  } finally {
    await world.close()
  }
}
await server?.stop()
await rm(room, { recursive: true, force: true })
if (wrong === 0 && values.kind === undefined && values.processes === undefined && values.only === undefined)
  await writeFile(here('../STORAGE.md'), pageOf(played))
say(wrong === 0 ? 'all is well' : `${wrong} things went wrong`)
process.exitCode = wrong === 0 ? 0 : 1

function pageOf(rows: readonly Played[]): string {
  const seconds = (ms: number | null) => (ms === null ? 'never' : (ms / 1000).toFixed(1))
  const table = (kind: string, processes: number) =>
    markdownTable([
      ['What happens', 'Whole', 'Refused: 503', 'Cut', 'Longest wait', 'Well after', 'All booked after'],
      ...rows
        .filter((row) => row.event.kind === kind && row.processes === processes)
        .map(({ event: { name }, saw: { whole, refused, cut }, longest_ms, well_ms, booked_ms }) => [
          ...[name, String(whole), String(refused), String(cut)],
          ...[longest_ms, well_ms, booked_ms].map((ms) => `${seconds(ms)} s`),
        ]),
    ])
  return `# What becomes of calls when storage fails

Every row is played against a built Weir that answers five calls a second at each process, plain and streamed, each with a
cost of its own: on SQLite with a disk whose calls fail as told, on PostgreSQL with a server of its own behind a network that
can be cut. Counted are the calls that began or were under way meanwhile.

After the rows of a table everything is compared: every call that the provider answered is charged once and in full, every
other one not at all; log, ledger, chain and balances agree; nothing is held, owed or refused; each process is the one that was
started. A call that is refused is told 503 with \`Retry-After\`; nobody hears nothing. Any difference is an error of the run.

This page is made by \`npx tsx test/faults/storage/page.ts\` (after a build; Linux with a C compiler). The times are those of
the machine it ran on, with other work beside it.

## SQLite, one process

A second process is refused the data folder while the first one has it.

${table('sqlite', 1)}

## PostgreSQL, one process

${table('postgres', 1)}

## PostgreSQL, two processes

${table('postgres', 2)}
`
}
