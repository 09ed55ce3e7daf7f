// What the commands about tasks are given, and what they print with --quiet.
import type { TaskStore } from '../../core/tasks/store.ts'
import { newTask } from '../storage/samples.ts'
import type { Changes } from './team-commands.ts'

/** What was submitted for a song. */
const ASKED = JSON.stringify({ body: '{"prompt":"a weir"}', path: { action: 'music' } })

/** @param tasks the store of the Weir that is asked */
export function taskChanges(tasks: () => Pick<TaskStore, 'add'>): Changes {
  let made = 0
  const given = (change: Parameters<typeof newTask>[0]) => async () => {
    const task_id = `made-${(made += 1)}`
    await tasks().add(newTask({ task_id, channel_id: 1, ...change }))
    return [task_id, '--yes']
  }
  const sameTask = ([id]: string[]) => new RegExp(`^${id}\n$`)
  return {
    'tasks cancel': { args: given({ status: 'IN_PROGRESS', progress: '42%', finish_time: 0 }), quiet: sameTask },
    'tasks retry': { args: given({ status: 'FAILURE', refunded: 50, asked: ASKED }), quiet: sameTask },
    'tasks refund': { args: given({}), quiet: sameTask },
  }
}
