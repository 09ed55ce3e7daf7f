import { nothing, partStates } from '../../parts-page/states.ts'
import { MediaButton } from './media-button.tsx'
import type { Medium } from './media.ts'

const of = (kind: Medium['kind'], key = '1'): Medium => ({ key, kind, src: 'https://example.com/1', title: 'A weir' })

export const states = partStates({
  nothing: () => <MediaButton media={[]} onOpen={nothing} />,
  'a picture': () => <MediaButton media={[of('picture')]} onOpen={nothing} />,
  songs: () => <MediaButton media={[of('song'), of('song', '2')]} onOpen={nothing} />,
  'a film': () => <MediaButton media={[of('film')]} onOpen={nothing} />,
  words: () => <MediaButton media={[of('words')]} onOpen={nothing} />,
})
