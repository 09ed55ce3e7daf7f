// A button in a row that opens the viewer and names the kind of media.
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { words as partWords } from '../texts.ts'
import type { Medium } from './media.ts'
import { words } from './texts.ts'

/** For several media it shows their number. */
export function MediaButton({ media, onOpen }: { media: readonly Medium[]; onOpen(key: string): void }) {
  const t = useTexts(words)
  const p = useTexts(partWords)
  const first = media[0]
  if (!first) return <span className="muted">{p.none}</span>
  return (
    <button type="button" className="plain-button" onClick={() => onOpen(first.key)}>
      {media.length > 1 ? fillPhrase(t.several, { act: t[first.kind], n: media.length }) : t[first.kind]}
    </button>
  )
}
