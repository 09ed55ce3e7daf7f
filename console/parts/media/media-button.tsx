// What opens the viewer from a row: it says what is to be seen, heard or read.
import { fill, useTexts } from '../../data/texts.tsx'
import { words as partWords } from '../texts.ts'
import type { Medium } from './media.ts'
import { words } from './texts.ts'

/** Of several it says how many. */
export function MediaButton({ media, onOpen }: { media: readonly Medium[]; onOpen(key: string): void }) {
  const t = useTexts(words)
  const p = useTexts(partWords)
  const first = media[0]
  if (!first) return <span className="muted">{p.none}</span>
  return (
    <button type="button" className="plain-button" onClick={() => onOpen(first.key)}>
      {media.length > 1 ? fill(t.several, { act: t[first.kind], n: media.length }) : t[first.kind]}
    </button>
  )
}
