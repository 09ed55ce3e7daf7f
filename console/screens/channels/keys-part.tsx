// The keys of an existing channel: a button in its panel opens them.
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { loadLater } from '../../parts/load-later.ts'
import type { Channel } from '../../../core/channels/channel.ts'
import { useText } from '../../data/texts.tsx'
import { Button } from '../../semi.ts'
const ChannelKeys = loadLater(async () => (await import('./channel-keys.tsx')).ChannelKeys)

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
          <ChannelKeys {...props} onClose={() => setOpen(false)} />,
          document.body,
        )}
    </div>
  )
}
