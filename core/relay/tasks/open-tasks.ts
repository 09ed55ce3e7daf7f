// How many tasks one user may have open at once: nobody opens more than that by asking at once.
import { fail } from '../../errors.ts'
import type { TaskStore } from '../../tasks/store.ts'

export interface OpenTasks {
  /**
   * Lets one more begin, 0 for no limit; gives what is called once it is written down, or was not taken.
   * @throws GatewayError task.too_many
   */
  admit(userId: number, limit: number): Promise<() => void>
}

export function createOpenTasks(storage: { tasks: Pick<TaskStore, 'countOpen'> }): OpenTasks {
  /** Submissions of each user that are under way. */
  const underway = new Map<number, number>()
  return {
    async admit(userId, limit) {
      const mine = (underway.get(userId) ?? 0) + 1
      underway.set(userId, mine)
      const leave = () => {
        const left = (underway.get(userId) ?? 1) - 1
        if (left > 0) underway.set(userId, left)
        else underway.delete(userId)
      }
      try {
        if (limit > 0 && (await storage.tasks.countOpen(userId)) + mine > limit) fail('task.too_many', { limit })
        return leave
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}
