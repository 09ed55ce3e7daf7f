import { useText } from '../../data/texts.tsx'

// One picture, song or film over the page, and navigation to the next, by buttons or arrow keys.
import { IconChevronLeft, IconChevronRight } from '@douyinfe/semi-icons'
import { useState, type KeyboardEvent } from 'react'
import { Button } from '../../semi.ts'
import { ModalDialog } from '../overlay/dialog.tsx'
import { InlineNote } from '../status/note.tsx'
import type { ViewableMedium } from './media.ts'
import './media.css'

interface Props {
  media: readonly ViewableMedium[]
  /** Key of the shown one. */
  at: string
  onMove(key: string): void
  onClose(): void
}

export function MediaViewer({ media, at, onMove, onClose }: Props) {
  const t = useText()
  const place = Math.max(
    0,
    media.findIndex(({ key }) => key === at),
  )
  const shown = media[place]
  if (!shown) return null
  // The first follows the last.
  const go = (to: number) => onMove(media[(to + media.length) % media.length]!.key)
  const onKeyDown = (event: KeyboardEvent) => {
    // Media players use the arrow keys themselves.
    if (event.target instanceof HTMLMediaElement) return
    const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: media.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    go(to)
  }
  return (
    <div onKeyDown={onKeyDown}>
      <ModalDialog
        title={shown.title}
        wide
        onClose={onClose}
        foot={
          <>
            {shown.src && (
              <a className="dialog-aside" href={shown.src} target="_blank" rel="noopener noreferrer">
                {t('Open in a new tab')}
              </a>
            )}
            {media.length > 1 && (
              <>
                <span className="muted number" role="status">
                  {t('{n} of {total}', { n: place + 1, total: media.length })}
                </span>
                <Button type="tertiary" icon={<IconChevronLeft aria-hidden />} onClick={() => go(place - 1)}>
                  {t('Previous')}
                </Button>
                <Button
                  type="tertiary"
                  icon={<IconChevronRight aria-hidden />}
                  iconPosition="right"
                  onClick={() => go(place + 1)}
                >
                  {t('Next')}
                </Button>
              </>
            )}
          </>
        }
      >
        <Shown key={shown.key} medium={shown} />
      </ModalDialog>
    </div>
  )
}

/** A song or a film is loaded only when it is played, and without a referrer. */
function Shown({ medium: { kind, src, title, text, cover } }: { medium: ViewableMedium }) {
  const t = useText()
  const [failed, setFailed] = useState(false)
  const fails = { onError: () => setFailed(true) }
  return (
    <div className="medium">
      {failed && (
        <InlineNote warns>
          {t('It could not be loaded. It may have been deleted, or this page may not be allowed to load it.')}
        </InlineNote>
      )}
      {kind === 'picture' && !failed && <img src={src} alt={title} referrerPolicy="no-referrer" {...fails} />}
      {kind === 'film' && <video src={src} aria-label={title} poster={cover} controls preload="none" {...fails} />}
      {kind === 'song' && (
        <>
          {cover && <img src={cover} alt="" referrerPolicy="no-referrer" className="medium-cover" />}
          <audio src={src} aria-label={title} controls preload="none" {...fails} />
        </>
      )}
      {text && <p className="medium-text">{text}</p>}
    </div>
  )
}
