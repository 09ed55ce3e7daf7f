// The result of a drawing as a picture for the viewer.
import { toMediaAddress, type ViewableMedium } from '../../parts/media/media.ts'
import type { DrawingRow } from './use-drawings.ts'

/** Returns null if there is no picture yet, or for an address that a page may not show. */
export function toDrawingPicture({ id, image_url, prompt, prompt_en, mj_id }: DrawingRow): ViewableMedium | null {
  const src = toMediaAddress(image_url)
  if (src === '') return null
  return { key: String(id), kind: 'picture', src, title: mj_id, text: prompt || prompt_en }
}
