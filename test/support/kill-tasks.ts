// Kills a built Weir while 200 tasks are open, starts it again, and compares its books with what their provider took and
// what their callers were told. On PostgreSQL two processes share the tasks, and the one that is not killed goes on.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListedTask } from '../../core/tasks/task.ts'
import { startVendor, type TaskCourse } from '../tasks/vendor.ts'
import { playedSuno } from '../tasks/vendors/suno.ts'
import { addAccount, asRoot, setUp, signIn, startBuiltServer, type BuiltServer } from './built-server.ts'
import { send } from './server.ts'

const OPEN = 200
const USERS = 4
const QUOTA = 1_000_000_000
const COURSES: readonly TaskCourse[] = ['done', 'fails', 'never', 'done', 'twice']
const AT_ONCE = 20
/** Holds of the dead are gone after this long at the latest. Seconds. */
const SWEEP_S = 15

export interface TaskRound {
  /** Submissions whose caller was told an id. */
  told: number
  /** Of all tasks that were ever told: how many are open, done and failed. */
  open: number
  done: number
  failed: number
  /** What does not add up; empty when all is well. */
  problems: string[]
}

export interface TaskKillBench {
  round(chance: () => number): Promise<TaskRound>
  /** Ends what is open, and looks at the books for the last time; what does not add up. */
  finish(): Promise<string[]>
  close(): Promise<void>
}

interface Account {
  id: number
  key: string
  /** Ids that its callers were told. */
  told: Set<string>
}

/** `open`: as many tasks are open when the process is killed. */
export async function openTaskKillBench({
  database,
  open: wantedOpen = OPEN,
}: { database?: string; open?: number } = {}): Promise<TaskKillBench> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-kill-tasks-'))
  const env = { WEIR_DATA: folder, LOG_LEVEL: 'error', ...(database ? { DATABASE_URL: database } : {}) }
  const vendor = await startVendor(playedSuno)
  const servers: BuiltServer[] = [await startBuiltServer(env)]
  const root = await setUp(env, servers[0]!.url)
  if (database) servers.push(await startBuiltServer(env))
  const [{ url }] = servers as [BuiltServer]
  await root.client.settings.update({
    options: [
      { key: 'ApiRateLimits', value: JSON.stringify({ login: [0, 60], api: [0, 60] }) },
      { key: 'tasks.open_per_user', value: '0' },
    ],
  })
  await root.client.channels.create({ name: 'suno', type: 36, key: 'k', base_url: vendor.url, models: 'suno_music' })
  const accounts: Account[] = []
  for (let n = 1; n <= USERS; n += 1) {
    const { id } = await addAccount(root, url, `user${n}`, QUOTA)
    const { visitor } = await signIn(url, `user${n}`)
    const { key } = await visitor.client.tokens.create({ name: 'kill', unlimited_quota: true })
    accounts.push({ id, key: `sk-${key}`, told: new Set() })
  }

  async function submit(server: BuiltServer, account: Account, course: TaskCourse): Promise<void> {
    vendor.course(course)
    const body = { gpt_description_prompt: `a ferry of ${account.id}` }
    const headers = { authorization: `Bearer ${account.key}` }
    // Whoever asks a process that dies is told nothing.
    const answer = await send('POST', `${server.url}/suno/submit/music`, { headers, body }).catch(() => undefined)
    if (answer?.status === 200) account.told.add(String(answer.json.data))
  }

  /** Every task there is, as administrators see them. */
  async function everyTask(): Promise<ListedTask[]> {
    const { client } = await asRoot(servers[0]!.url)
    const all: ListedTask[] = []
    for (let p = 0; ; p += 1) {
      const { data, total } = await client.tasks.list({ p, page_size: 100 })
      all.push(...data)
      if (all.length >= total || data.length === 0) return all
    }
  }

  /** The books: what every account has left, by its tasks; every id that was told is there, once. */
  async function looked(problems: string[]): Promise<ListedTask[]> {
    const { client } = await asRoot(servers[0]!.url)
    const { faults } = await client.quota.verify()
    // What a submission held whose process died is let go a little later.
    const wrong = faults.filter(({ kind }) => kind !== 'orphaned_hold')
    if (wrong.length > 0) problems.push(`the ledger has faults: ${JSON.stringify(wrong)}`)
    // Two readings with nothing moved between them: tasks end while they are read.
    for (let turn = 0; turn < 20; turn += 1) {
      const before = await everyTask()
      const balances = await Promise.all(accounts.map(async ({ id }) => (await client.users.get({ id })).quota))
      const tasks = await everyTask()
      if (JSON.stringify(before) !== JSON.stringify(tasks)) continue
      for (const [at, account] of accounts.entries()) {
        const own = tasks.filter(({ user_id }) => user_id === account.id)
        const due = QUOTA - own.reduce((sum, { quota, refunded }) => sum + quota - refunded, 0)
        if (balances[at] !== due) problems.push(`user ${account.id} has ${balances[at]}, and should have ${due}`)
        const ids = own.map(({ task_id }) => task_id)
        if (new Set(ids).size !== ids.length) problems.push(`user ${account.id} has a task twice`)
        for (const id of account.told) if (!ids.includes(id)) problems.push(`task ${id} was told and is gone`)
      }
      for (const { task_id, status, quota, refunded } of tasks) {
        const given = status === 'FAILURE' ? quota : 0
        if (refunded !== given) problems.push(`task ${task_id} is ${status} and was given back ${refunded} of ${quota}`)
      }
      return tasks
    }
    problems.push('the books never stood still')
    return []
  }

  return {
    async round(chance) {
      const problems: string[] = []
      const victim = Math.floor(chance() * servers.length)
      const open = (await everyTask()).filter(({ finish_time }) => finish_time === 0).length
      const missing = Math.max(AT_ONCE, wantedOpen - open)
      const submissions = Array.from({ length: missing }, (_, n) => async () => {
        const course = COURSES[Math.floor(chance() * COURSES.length)]!
        await submit(servers[n % servers.length]!, accounts[n % USERS]!, course)
      })
      const workers = Array.from({ length: AT_ONCE }, async () => {
        for (let next = submissions.shift(); next; next = submissions.shift()) await next()
      })
      const submitting = Promise.all(workers)
      // In the middle of submissions, or of looks, or of both.
      if (chance() < 0.5) await sleep(chance() * 400)
      else await submitting.then(() => sleep(chance() * 3_000))
      servers[victim]!.child.kill('SIGKILL')
      await servers[victim]!.ended
      await submitting
      servers[victim] = await startBuiltServer(env)
      const tasks = await looked(problems)
      const count = (is: (task: ListedTask) => boolean) => tasks.filter(is).length
      return {
        told: accounts.reduce((sum, { told }) => sum + told.size, 0),
        open: count(({ finish_time }) => finish_time === 0),
        done: count(({ status }) => status === 'SUCCESS'),
        failed: count(({ status }) => status === 'FAILURE'),
        problems,
      }
    },
    async finish() {
      const problems: string[] = []
      const { client } = await asRoot(servers[0]!.url)
      for (let turn = 0; turn < 60; turn += 1) {
        const open = (await everyTask()).filter(({ finish_time }) => finish_time === 0)
        const waiting = open.filter(({ task_id }) => vendor.tasks.find(({ id }) => id === task_id)?.course !== 'never')
        if (waiting.length > 0) {
          await sleep(1_000)
          continue
        }
        for (const { id } of open) await client.tasks.manage({ id, action: 'cancel' })
        break
      }
      for (let turn = 0; turn < SWEEP_S && !(await client.quota.verify()).ok; turn += 1) await sleep(1_000)
      if (!(await client.quota.verify()).ok) problems.push('the ledger is not in order at the end')
      const tasks = await looked(problems)
      const open = tasks.filter(({ finish_time }) => finish_time === 0).length
      if (open > 0) problems.push(`${open} tasks are still open`)
      for (const { id, course } of vendor.tasks) {
        const task = tasks.find(({ task_id }) => task_id === id)
        const wanted = course === 'done' || course === 'twice' ? 'SUCCESS' : 'FAILURE'
        if (task && task.status !== wanted) problems.push(`task ${id} (${course}) ended as ${task.status}`)
      }
      return problems
    },
    async close() {
      for (const { child, ended } of servers) {
        child.kill('SIGKILL')
        await ended
      }
      await vendor.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
