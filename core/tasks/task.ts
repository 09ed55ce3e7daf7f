// A piece of work that a provider does in its own time, such as a piece of music.
import { z } from 'zod'
import { namedSchemas } from '../contract/named-schemas.ts'

export const Task = z.object({
  id: z.number(),
  user_id: z.number(),
  channel_id: z.number(),
  /** `suno`. */
  platform: z.string(),
  /** MUSIC or LYRICS. */
  action: z.string(),
  /** The provider's own id of it. */
  task_id: z.string(),
  status: z.string(),
  /** As `42%`. */
  progress: z.string(),
  fail_reason: z.string(),
  /** What the provider says of it, as JSON: addresses of songs and films, words; empty for nothing yet. */
  data: z.string(),
  /** Quota units charged when it was submitted. */
  quota: z.number(),
  /** Epoch seconds; 0 for not yet. */
  created_at: z.number(),
  submit_time: z.number(),
  finish_time: z.number(),
})
namedSchemas.add(Task, { id: 'Task' })
export type Task = z.infer<typeof Task>
export type NewTask = Omit<Task, 'id'>
