// The keys of an existing channel: a button in its panel opens them.
import { lazy, Suspense, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Channel } from '../../../core/channels/channel.ts'
import { useText } from '../../data/texts.tsx'
import { Button } from '../../semi.ts'
const ChannelKeys = lazy(() => import('./channel-keys.tsx').then((file) => ({ default: file.ChannelKeys })))

interface Props {
  id: number
  name: string
  version: number | undefined
  /** Changing keys gives the channel a new version. */
  onChanged(channel: Channel): void
}

export function KeysPart(props: Props) {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <div className="field">
      <Button size="small" onClick={() => setOpen(true)}>
        {t('Manage keys')}
      </Button>
      {open &&
        createPortal(
          // A separate form, which must not be nested in this one.
          <Suspense>
            <ChannelKeys {...props} onClose={() => setOpen(false)} />
          </Suspense>,
          document.body,
        )}
    </div>
  )
}
