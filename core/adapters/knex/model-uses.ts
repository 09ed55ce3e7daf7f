// What was used of each model, summed up from the log.
import { LOG_TYPE } from '../../calls/log-entry.ts'
import type { ModelUseStore } from '../../prices/store.ts'
import type { Database } from './database.ts'

export function createModelUseStore({ read }: Database): ModelUseStore {
  const sum = (column: string, as: string) => read.raw('cast(sum(??) as bigint) as ??', [column, as])
  return {
    async since(time) {
      const rows: Record<string, unknown>[] = await read('logs')
        .where('created_at', '>=', time)
        .where({ type: LOG_TYPE.consumption })
        .groupBy('model_name')
        .select({ model: 'model_name' })
        .countDistinct({ users: 'user_id' })
        .count({ calls: '*' })
        .select(sum('quota', 'charged'), sum('prompt_tokens', 'prompt'), sum('completion_tokens', 'output'))
      return rows.map(({ model, ...counts }) => ({
        ...{ model: String(model), cached: 0, users: Number(counts.users), calls: Number(counts.calls) },
        ...{ charged: Number(counts.charged), prompt: Number(counts.prompt), output: Number(counts.output) },
      }))
    },
  }
}
