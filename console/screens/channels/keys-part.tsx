// The keys of a channel that is there: a button in its panel opens them.
import { lazy, Suspense, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Channel } from '../../../core/channels/channel.ts'
import { useTexts } from '../../data/texts.tsx'
import { Button } from '../../semi.ts'
import { words } from './key-texts.ts'

const ChannelKeys = lazy(() => import('./channel-keys.tsx').then((file) => ({ default: file.ChannelKeys })))

interface Props {
  id: number
  name: string
  version: number | undefined
  /** Keys were changed, and the channel is another version by that. */
  onChanged(channel: Channel): void
}

export function KeysPart(props: Props) {
  const t = useTexts(words)
  const [open, setOpen] = useState(false)
  return (
    <div className="field">
      <Button size="small" onClick={() => setOpen(true)}>
        {t.manage}
      </Button>
      {open &&
        createPortal(
          // A form of its own, which may not stand in this one.
          <Suspense>
            <ChannelKeys {...props} onClose={() => setOpen(false)} />
          </Suspense>,
          document.body,
        )}
    </div>
  )
}
