import { useText } from '../../data/texts.tsx'

// Pictures side by side, each loaded when it is scrolled into view.
import { useState, type ReactNode } from 'react'
import type { ViewableMedium } from './media.ts'
import './media.css'

interface Tile {
  key: string
  /** null if it does not exist yet. */
  picture: ViewableMedium | null
  /** Rendered in the place of a picture. */
  instead?: ReactNode
  /** Rendered below it. */
  caption: ReactNode
}

export function MediaGrid({
  label,
  tiles,
  onOpen,
}: {
  label: string
  tiles: readonly Tile[]
  onOpen(key: string): void
}) {
  return (
    <ul className="media-grid" aria-label={label}>
      {tiles.map(({ key, picture, instead, caption }) => (
        <li key={key}>
          {picture ? (
            <Thumb key={picture.src} picture={picture} onOpen={() => onOpen(picture.key)} />
          ) : (
            <div className="media-thumb">{instead}</div>
          )}
          <div className="media-caption">{caption}</div>
        </li>
      ))}
    </ul>
  )
}

function Thumb({ picture: { src, title }, onOpen }: { picture: ViewableMedium; onOpen(): void }) {
  const t = useText()
  const [failed, setFailed] = useState(false)
  return (
    <button type="button" className="media-thumb" aria-label={`${t('View image')}: ${title}`} onClick={onOpen}>
      {failed ? (
        <span className="muted">{t('Not loaded')}</span>
      ) : (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setFailed(true)}
        />
      )}
    </button>
  )
}
