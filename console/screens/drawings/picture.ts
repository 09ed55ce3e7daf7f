// The result of a drawing as a picture for the viewer.
import { mediaAddress, type Medium } from '../../parts/media/media.ts'
import type { DrawingRow } from './use-drawings.ts'

/** Returns null if there is no picture yet, or for an address that a page may not show. */
export function toPicture({ id, image_url, prompt, prompt_en, mj_id }: DrawingRow): Medium | null {
  const src = mediaAddress(image_url)
  if (src === '') return null
  return { key: String(id), kind: 'picture', src, title: mj_id, text: prompt || prompt_en }
}
