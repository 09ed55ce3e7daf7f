import { useText } from '../../data/texts.tsx'

// A note in a page: information or a warning.
import { IconAlertTriangle, IconClose, IconInfoCircle } from '@douyinfe/semi-icons'
import type { ReactNode } from 'react'
import { Button } from '../../semi.ts'

interface Props {
  warns?: boolean
  title?: string
  onClose?: () => void
  children: ReactNode
}

export function InlineNote({ warns, title, onClose, children }: Props) {
  const t = useText()
  return (
    <div role="note" className={`note${warns ? ' note-warns' : ''}`} aria-label={title}>
      {warns ? <IconAlertTriangle aria-hidden /> : <IconInfoCircle aria-hidden />}
      <div className="note-text">
        {title && <strong>{title}</strong>}
        {children}
      </div>
      {onClose && (
        <Button
          theme="borderless"
          type="tertiary"
          size="small"
          icon={<IconClose aria-hidden />}
          aria-label={t('Close')}
          onClick={onClose}
        />
      )}
    </div>
  )
}
