// A task is charged once, refunded at most once, and leaves no hold, in any order of submissions, polls, callbacks,
// administrators' actions and crashes.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type CallCaller, createAbortSource } from '../../core/relay/call.ts'
import { sunoTaskFormat } from '../../core/dialects/tasks/suno.ts'
import type { StoredTask } from '../../core/tasks/task.ts'
import { openMemoryGateway, type MemoryGateway } from '../core/gateway.ts'
import { runsAllTests } from '../support/suite.ts'
import { mortal, type Mortal } from './mortal.ts'

const PRICE = 50_000
const EVERY = {
  ...{
    channel_id: 0,
    start_timestamp: 0,
    end_timestamp: 0,
    task_id: '',
    platform: '',
    action: '',
    status: '',
    model: '',
  },
  drawings: false,
}
const SAID = [
  'NOT_START',
  'SUBMITTED',
  'QUEUED',
  'IN_PROGRESS',
  'SUCCESS',
  'FAILURE',
  'NONSENSE',
  'GONE',
  'OTHER',
] as const

const pick = fc.nat(20)
const event = fc.oneof(
  {
    arbitrary: fc.record({ kind: fc.constant('submit' as const), answer: fc.constantFrom(200, 200, 200, 429, 500) }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('look' as const),
      said: fc.array(fc.constantFrom(...SAID), { minLength: 1, maxLength: 5 }),
    }),
    weight: 6,
  },
  { arbitrary: fc.record({ kind: fc.constant('away' as const) }), weight: 1 },
  {
    arbitrary: fc.record({ kind: fc.constant('notice' as const), at: pick, said: fc.constantFrom(...SAID) }),
    weight: 2,
  },
  { arbitrary: fc.record({ kind: fc.constant('late' as const), at: pick }), weight: 1 },
  {
    arbitrary: fc.record({
      ...{ kind: fc.constantFrom('crash-submit' as const, 'crash-look' as const), after: fc.nat(12) },
      ...{ done: fc.boolean(), said: fc.constantFrom(...SAID) },
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({ kind: fc.constantFrom('cancel' as const, 'refund' as const, 'retry' as const), at: pick }),
    weight: 3,
  },
)

interface World {
  /** The process that lives now. */
  weir: MemoryGateway
  life: Mortal
  /** It is gone with its memory, and another comes over its database. */
  crashed(): Promise<void>
  caller: CallCaller
  /** What the provider says of each task; by turns where several are given. */
  say(said: readonly string[]): void
  answer(status: number): void
}

async function opened(): Promise<World> {
  const weir = await openMemoryGateway()
  const begin = async () => {
    const life = mortal(weir.storage)
    return { life, weir: await openMemoryGateway({ over: weir, wrap: () => life.storage }) }
  }
  const root = await weir.as('root')
  await weir.ask(root, 'channels.create', {
    name: 'suno',
    type: 36,
    key: 'k',
    base_url: 'https://suno.example',
    models: 'suno_music',
  })
  await weir.ask(root, 'users.create', { username: 'ada', password: 'long enough' })
  const { user } = (await weir.storage.users.findByLogin('ada'))!
  await weir.ask(root, 'users.update', {
    id: user.id,
    username: 'ada',
    display_name: 'Ada',
    password: '',
    quota: 100 * PRICE,
    quota_before: user.quota,
  })
  let made = 0
  let status = 200
  let said: readonly string[] = ['NOT_START']
  weir.upstream.reply(({ url, json }) => {
    if (url.includes('/submit/'))
      return { status, parts: [JSON.stringify({ code: 'success', data: `task-${(made += 1)}` })] }
    if (said[0] === 'AWAY') return { status: 503 }
    const data = (json.ids as string[]).flatMap((task_id, at) => {
      const word = said[at % said.length]!
      if (word === 'GONE') return []
      const id = word === 'OTHER' ? `${task_id}-other` : task_id
      return [
        {
          task_id: id,
          status: word === 'OTHER' ? 'SUCCESS' : word,
          progress: '40%',
          fail_reason: word === 'FAILURE' ? 'no' : '',
        },
      ]
    })
    return { parts: [JSON.stringify({ code: 'success', data })] }
  })
  const world: World = {
    ...(await begin()),
    async crashed() {
      Object.assign(world, await begin())
    },
    caller: {
      user: (await weir.storage.users.find(user.id))!,
      token: null,
      via: 'session',
      ip: '',
      request_id: 'r',
      language: 'en',
    },
    say: (words) => void (said = words),
    answer: (next) => void (status = next),
  }
  return world
}

const all = async ({ weir, caller: { user } }: World): Promise<StoredTask[]> =>
  (await weir.storage.tasks.list({ ...EVERY, user_id: user.id }, { offset: 0, limit: 1000 })).items

async function looked({ weir }: World, tasks: readonly StoredTask[]): Promise<void> {
  await weir.storage.tasks.wake(...tasks.map(({ id }) => id))
  // Two at once, as two processes would.
  await Promise.all([weir.followTasks(), weir.followTasks()])
}

function submitted({ weir, caller }: World): Promise<unknown> {
  const body = new TextEncoder().encode(JSON.stringify({ prompt: 'a ferry' }))
  const call = {
    inbound: sunoTaskFormat,
    body,
    caller,
    signal: createAbortSource().signal,
    started_at: weir.clock.now(),
  }
  return weir.submitTask(call, { body, path: { action: 'music' } })
}

async function inOrder(world: World): Promise<void> {
  const { weir, caller } = world
  const tasks = await all(world)
  const spent = tasks.reduce((sum, { quota, refunded }) => sum + quota - refunded, 0)
  const user = (await weir.storage.users.find(caller.user.id))!
  expect(user.quota).toBe(100 * PRICE - spent)
  expect(user.used_quota).toBe(spent)
  for (const { quota, refunded, status, finish_time } of tasks) {
    expect(quota).toBe(PRICE)
    expect([0, quota]).toContain(refunded)
    if (status === 'FAILURE') expect(refunded).toBe(quota)
    if (finish_time === 0) expect(refunded).toBe(0)
  }
  expect(await weir.storage.ledger.faults()).toEqual([])
}

it('charges a task once, gives it back at most once, and leaves no hold', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 30 }), async (events) => {
      const world = await opened()
      const root = await world.weir.as('root')
      try {
        for (const each of events) {
          const { weir } = world
          const tasks = await all(world)
          const open = tasks.filter(({ finish_time }) => finish_time === 0)
          const chosen = 'at' in each ? tasks[each.at % Math.max(1, tasks.length)] : undefined
          switch (each.kind) {
            case 'submit': {
              world.answer(each.answer)
              const taken = await submitted(world).then(
                () => 1,
                () => 0,
              )
              if (each.answer !== 200) expect(taken).toBe(0)
              expect(await all(world)).toHaveLength(tasks.length + taken)
              // A channel that has failed comes back.
              weir.clock.advance(600_000)
              world.answer(200)
              break
            }
            case 'look':
              world.say(each.said)
              await looked(world, open)
              break
            case 'away':
              world.say(['AWAY'])
              await looked(world, open)
              break
            case 'notice':
              world.say([each.said])
              if (chosen?.notify_key)
                await Promise.all([weir.taskNotice(chosen.notify_key), weir.taskNotice(chosen.notify_key)])
              await weir.followTasks()
              break
            case 'late':
              world.say(['IN_PROGRESS'])
              if (chosen) await weir.storage.tasks.update(chosen.id, { submit_time: 1 })
              await looked(world, open)
              break
            case 'crash-submit':
            case 'crash-look': {
              world.say([each.said])
              const { life } = world
              life.dieAfter(each.after, each.done)
              const work = each.kind === 'crash-submit' ? submitted(world) : looked(world, open)
              await Promise.race([work.catch(() => undefined), life.dead])
              life.die()
              await life.settled()
              await world.crashed()
              expect((await all(world)).length - tasks.length).toBeLessThanOrEqual(1)
              break
            }
            default:
              // The same asked twice at once; what is refused is refused.
              if (chosen) {
                const asked = () => weir.ask(root, 'tasks.manage', { id: chosen.id, action: each.kind })
                await Promise.allSettled(each.kind === 'retry' ? [asked()] : [asked(), asked()])
              }
          }
          await inOrder(world)
        }
        world.say(['SUCCESS', 'FAILURE'])
        // The job of the gateway asks too, and a task that it is asking about is postponed: the next question finds its end.
        for (let looks = 0; looks < 3; looks += 1) await looked(world, await all(world))
        await inOrder(world)
        expect((await all(world)).every(({ finish_time }) => finish_time > 0)).toBe(true)
      } finally {
        await world.weir.close()
      }
    }),
    { numRuns: runsAllTests ? 40 : 15 },
  )
})
