// The input of commands about rows that no command creates (tasks, refused charges), and their output with --quiet.
import type { Storage } from '../../core/ports/storage.ts'
import { newTask } from '../storage/samples.ts'
import { refuseCharge } from '../support/refused-charge.ts'
import type { Changes } from './team-commands.ts'

/** What was submitted for a song. */
const ASKED = JSON.stringify({ body: '{"prompt":"a weir"}', path: { action: 'music' } })

/** @param storage that of the Weir that is asked */
export function taskChanges(storage: () => Storage): Changes {
  let made = 0
  const given = (change: Parameters<typeof newTask>[0]) => async () => {
    const task_id = `made-${(made += 1)}`
    await storage().tasks.add(newTask({ task_id, channel_id: 1, ...change }))
    return [task_id, '--yes']
  }
  const sameTask = ([id]: string[]) => new RegExp(`^${id}\n$`)
  return {
    'ledger retry': {
      args: async () => [(await refuseCharge(storage(), { account_id: 1, token_id: null, quota: 5 })).hold_id],
      quiet: ([id]) => new RegExp(`^${id}\n$`),
    },
    'tasks cancel': { args: given({ status: 'IN_PROGRESS', progress: '42%', finish_time: 0 }), quiet: sameTask },
    'tasks retry': { args: given({ status: 'FAILURE', refunded: 50, asked: ASKED }), quiet: sameTask },
    'tasks refund': { args: given({}), quiet: sameTask },
  }
}
