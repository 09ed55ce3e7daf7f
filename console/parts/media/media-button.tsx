import { StandaloneWord } from '../text/word.tsx'
import { useText, texts } from '../../data/texts.tsx'

// A button in a row that opens the viewer and names the kind of media.
import type { ViewableMedium } from './media.ts'

const KIND_TEXTS = texts({ picture: 'View image', song: 'Listen', film: 'Watch', words: 'Read' })

/** For several media it shows their number. */
export function MediaButton({ media, onOpen }: { media: readonly ViewableMedium[]; onOpen(key: string): void }) {
  const t = useText()
  const first = media[0]
  if (!first) return <StandaloneWord muted>{t('none')}</StandaloneWord>
  return (
    <button type="button" className="plain-button" onClick={() => onOpen(first.key)}>
      {media.length > 1
        ? t('{act} ({n})', { act: t(KIND_TEXTS[first.kind], { context: 'act' }), n: media.length })
        : t(KIND_TEXTS[first.kind], { context: 'act' })}
    </button>
  )
}
