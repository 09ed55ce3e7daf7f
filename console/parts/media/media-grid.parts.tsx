import { LONG_TEXT, ignore, definePreviews } from '../../parts-page/states.ts'
import { MediaGrid } from './media-grid.tsx'

export const PICTURE =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Crect width="8" height="8" fill="%230b7285"/%3E%3C/svg%3E'

const tile = (key: string, src = PICTURE) => ({
  key,
  picture: { key, kind: 'picture' as const, src, title: LONG_TEXT },
  caption: key,
})

export const previews = definePreviews({
  pictures: () => (
    <MediaGrid label="Drawings" tiles={['IMAGINE', 'UPSCALE', 'ZOOM'].map((key) => tile(key))} onOpen={ignore} />
  ),
  'one that cannot be loaded': () => (
    <MediaGrid label="Drawings" tiles={[tile('IMAGINE', 'data:image/png,nothing')]} onOpen={ignore} />
  ),
  'one that is not there yet': () => (
    <MediaGrid
      label="Drawings"
      tiles={[{ key: 'IMAGINE', picture: null, instead: '42%', caption: LONG_TEXT }]}
      onOpen={ignore}
    />
  ),
})
