import { ignore, definePreviews } from '../../parts-page/states.ts'
import { MediaButton } from './media-button.tsx'
import type { Medium } from './media.ts'

const of = (kind: Medium['kind'], key = '1'): Medium => ({ key, kind, src: 'https://example.com/1', title: 'A weir' })

export const previews = definePreviews({
  nothing: () => <MediaButton media={[]} onOpen={ignore} />,
  'a picture': () => <MediaButton media={[of('picture')]} onOpen={ignore} />,
  songs: () => <MediaButton media={[of('song'), of('song', '2')]} onOpen={ignore} />,
  'a film': () => <MediaButton media={[of('film')]} onOpen={ignore} />,
  words: () => <MediaButton media={[of('words')]} onOpen={ignore} />,
})
