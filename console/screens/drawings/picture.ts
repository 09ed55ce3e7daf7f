// What came of a drawing, as something to look at.
import { mediaAddress, type Medium } from '../../parts/media/media.ts'
import type { DrawingRow } from './use-drawings.ts'

/** Null while there is none, and for an address that no page shows. */
export function pictureOf({ id, image_url, prompt, prompt_en, mj_id }: DrawingRow): Medium | null {
  const src = mediaAddress(image_url)
  if (src === '') return null
  return { key: String(id), kind: 'picture', src, title: mj_id, text: prompt || prompt_en }
}
