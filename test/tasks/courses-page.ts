// Writes COURSES.md: what becomes of a task of every played vendor, as its caller sees it, as it is charged, and as it is
// logged, on both databases: npx tsx test/tasks/courses-page.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import { databaseOfScript } from '../support/postgres-server.ts'
import { ask, looks, tasksOf } from './site.ts'
import { startVendor, type TaskCourse } from './vendor.ts'
import { channelOf, PLAYED, type Played } from './vendors/index.ts'

const COURSES: Record<TaskCourse, string> = {
  done: 'ends well',
  never: 'never ends: its time is up',
  fails: 'fails at 99 %',
  lost: 'is not known any more: its time is up',
  renamed: 'is told under another id: its time is up',
  backwards: 'is told of backwards',
  twice: 'ends well twice, then badly',
}
const MOODS = {
  refuses: 'the submission is refused',
  overloaded: 'too many submissions',
  broken: 'a fault of the provider',
  silent: 'the connection breaks after the submission',
} as const
const QUOTA = 100_000_000
const LONG_AGO = 1_700_000_000_000

interface Seen {
  told: string
  charged: number
  given: number
  logged: string
}

async function seen(
  weir: TestGateway,
  played: Played,
  behaves: (vendor: Awaited<ReturnType<typeof startVendor>>) => void,
): Promise<Seen> {
  const vendor = await startVendor(played.vendor)
  behaves(vendor)
  const channel = await weir.addChannel(channelOf(played, vendor.url))
  const ada = await weir.addCaller({ quota: QUOTA })
  const answer = await ask(weir, ada, 'POST', played.submit.path, played.submit.body)
  await looks(weir, ada, 7)
  for (const { id, finish_time } of await tasksOf(weir, ada))
    if (finish_time === 0) await weir.gateway.ports.storage.tasks.update(id, { submit_time: LONG_AGO })
  const [task] = await looks(weir, ada, 1)
  const { items } = await weir.gateway.ports.storage.logs.list({ user_id: ada.user.id }, { offset: 0, limit: 20 })
  const types: Record<number, string> = { 2: 'consumption', 4: 'given back', 5: 'error' }
  const { used_quota } = await ada.balances()
  await weir.root.client.channels.delete({ id: channel.id })
  await vendor.close()
  return {
    told: task
      ? `${task.status}${task.fail_reason ? `: ${task.fail_reason.slice(0, 60)}` : ''}`
      : `status ${answer.status}`,
    charged: task?.quota ?? used_quota,
    given: task?.refunded ?? 0,
    logged: items
      .flatMap(({ type, content }) => (types[type] && !content.startsWith('New account') ? [types[type]!] : []))
      .reverse()
      .join(', '),
  }
}

const rows: string[] = []
const byDatabase = new Map<string, string>()
for (const kind of ['sqlite', 'postgres'] as const) {
  const { database, stop } = await databaseOfScript(kind)
  const weir = await openTestGateway(database ? { database } : {})
  for (const played of PLAYED) {
    const cases = [
      ...Object.entries(COURSES).map(([course, words]) => ({
        words,
        behaves: (vendor: Awaited<ReturnType<typeof startVendor>>) => vendor.course(course as TaskCourse),
      })),
      ...Object.entries(MOODS).map(([mood, words]) => ({
        words,
        behaves: (vendor: Awaited<ReturnType<typeof startVendor>>) => vendor.mood(mood as keyof typeof MOODS),
      })),
    ]
    for (const { words, behaves } of cases) {
      const { told, charged, given, logged } = await seen(weir, played, behaves)
      const line = `| ${played.vendor.name} | ${words} | ${told.replaceAll('|', '/')} | ${charged} | ${given} | ${logged} |`
      const key = `${played.vendor.name} ${words}`
      if (byDatabase.get(key) !== undefined && byDatabase.get(key) !== line)
        rows.push(line.replace(played.vendor.name, `${played.vendor.name} (${kind})`))
      if (byDatabase.get(key) === undefined) rows.push(line)
      byDatabase.set(key, line)
    }
  }
  await weir.clean()
  await weir.close()
  await stop()
}
const text = [
  '# What becomes of a task',
  '',
  'Of every played vendor, whatever it does: what the caller is told at last, what was charged and given back in quota units, and which rows the log has. The same on SQLite and PostgreSQL, unless a row says otherwise. Written by `npx tsx test/tasks/courses-page.ts`; `courses.test.ts` asserts the same.',
  '',
  '| Vendor | What happens | Told at last | Charged | Given back | Logged |',
  '| --- | --- | --- | --- | --- | --- |',
  ...rows,
  '',
].join('\n')
const path = join(import.meta.dirname, 'COURSES.md')
writeFileSync(path, await format(text, { ...(await resolveConfig(path)), parser: 'markdown' }))
process.stdout.write(`${rows.length} rows\n`)
process.exit(0)
