// A drawing in its list: a task of the platform `mj`, under the names of the specification.
import { z } from 'zod'
import { StoredTask } from './task.ts'

export const DrawingTask = StoredTask.pick({
  id: true,
  user_id: true,
  channel_id: true,
  action: true,
  model: true,
  code: true,
  status: true,
  progress: true,
  prompt: true,
  prompt_en: true,
  image_url: true,
  fail_reason: true,
  quota: true,
  refunded: true,
  created_at: true,
  submit_time: true,
  start_time: true,
  finish_time: true,
}).extend({
  /** The proxy's own id of it. */
  mj_id: z.string(),
})
z.globalRegistry.add(DrawingTask, { id: 'Drawing' })
export type DrawingTask = z.infer<typeof DrawingTask>

interface ImageSettings {
  MjForwardUrlEnabled: boolean
  ServerAddress: string
}

/** A task as a drawing: its picture is shown at this server where the proxy's address is to stay unknown. */
export const toDrawingTask = (row: StoredTask, settings: ImageSettings): DrawingTask => {
  const drawing = DrawingTask.parse({ ...row, mj_id: row.task_id })
  return { ...drawing, image_url: getShownImage(row, settings) }
}

/** Returns the public address of the image. The key in it cannot be guessed, since the address needs no sign-in. */
export function getShownImage(
  { image_url, notify_key }: Pick<StoredTask, 'image_url' | 'notify_key'>,
  { MjForwardUrlEnabled, ServerAddress }: ImageSettings,
): string {
  if (image_url === '' || !MjForwardUrlEnabled) return image_url
  return notify_key === null ? '' : `${ServerAddress}/mj/image/${notify_key}`
}
