// A Weir with a channel to a scripted vendor, and a clock that the test moves, for the tests of tasks.
import type { StoredTask } from '../../core/tasks/task.ts'
import type { Caller } from '../support/caller.ts'
import type { TestGateway } from '../support/gateway.ts'
import { send, type HttpAnswer } from '../support/server.ts'

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
}

/** A request with a caller's token; `path` begins with a slash. */
export const ask = (
  weir: Pick<TestGateway, 'url'>,
  { key }: Pick<Caller, 'key'>,
  method: string,
  path: string,
  body?: object,
): Promise<HttpAnswer> =>
  send(method, weir.url + path, { headers: { authorization: `Bearer ${key}` }, ...(body ? { body } : {}) })

/** All tasks of a user, newest first. */
export async function tasksOf({ gateway }: TestGateway, { user }: Pick<Caller, 'user'>): Promise<StoredTask[]> {
  const all = await Promise.all(
    [true, false].map((drawings) =>
      gateway.ports.storage.tasks.list({ ...EVERY, user_id: user.id, drawings }, { offset: 0, limit: 100 }),
    ),
  )
  return all.flatMap(({ items }) => items).sort((one, other) => other.id - one.id)
}

/** Looks so many times at every open task of a user, as if it were time each time. */
export async function looks(weir: TestGateway, caller: Pick<Caller, 'user'>, times: number): Promise<StoredTask[]> {
  for (let n = 0; n < times; n += 1) {
    const open = (await tasksOf(weir, caller)).filter(({ finish_time }) => finish_time === 0)
    if (open.length === 0) break
    // All in one statement: the gateway's own job could look at the first before the last is due.
    await weir.gateway.ports.storage.tasks.wake(...open.map(({ id }) => id))
    await weir.gateway.followTasks()
  }
  return tasksOf(weir, caller)
}
