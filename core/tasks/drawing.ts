// A drawing made by a Midjourney proxy.
import { z } from 'zod'
import { namedSchemas } from '../contract/named-schemas.ts'

export const Drawing = z.object({
  id: z.number(),
  user_id: z.number(),
  channel_id: z.number(),
  /** The proxy's own id of it. */
  mj_id: z.string(),
  /** IMAGINE, UPSCALE and so on. */
  action: z.string(),
  /** How the proxy took it: 1 submitted, 21 waiting, 22 queued, 0 not submitted. */
  code: z.number(),
  status: z.string(),
  /** As `42%`. */
  progress: z.string(),
  prompt: z.string(),
  prompt_en: z.string(),
  image_url: z.string(),
  fail_reason: z.string(),
  /** Quota units charged when it was submitted. */
  quota: z.number(),
  /** Epoch seconds. */
  created_at: z.number(),
  /** Epoch milliseconds; 0 for not yet. */
  submit_time: z.number(),
  finish_time: z.number(),
})
namedSchemas.add(Drawing, { id: 'Drawing' })
export type Drawing = z.infer<typeof Drawing>
export type NewDrawing = Omit<Drawing, 'id'>

/** Where the image is shown: at this server where the proxy's address is to stay unknown (MjForwardUrlEnabled). */
export const shownImage = (
  { image_url, mj_id }: Pick<Drawing, 'image_url' | 'mj_id'>,
  { MjForwardUrlEnabled, ServerAddress }: { MjForwardUrlEnabled: boolean; ServerAddress: string },
): string =>
  image_url !== '' && MjForwardUrlEnabled ? `${ServerAddress}/mj/image/${encodeURIComponent(mj_id)}` : image_url
