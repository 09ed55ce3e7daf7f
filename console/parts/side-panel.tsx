// The panel that slides in to make or change one thing; the whole width on a phone.
import { Button, SideSheet } from '../semi.ts'
import type { ReactNode } from 'react'
import { useTexts } from '../data/texts.tsx'
import { words } from './texts.ts'
import { useMobile } from './use-mobile.ts'

interface Props {
  title: string
  open: boolean
  /** New things come from the left, changes from the right. */
  side: 'left' | 'right'
  busy: boolean
  submit: string
  onSubmit(): void
  onClose(): void
  children: ReactNode
}

export function SidePanel({ title, open, side, busy, submit, onSubmit, onClose, children }: Props) {
  const t = useTexts(words)
  const mobile = useMobile()
  return (
    <SideSheet
      className="side-panel"
      title={title}
      visible={open}
      placement={side}
      width={mobile ? '100%' : 600}
      maskClosable={false}
      onCancel={onClose}
      footer={
        <div className="panel-foot">
          <Button type="tertiary" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button theme="solid" loading={busy} onClick={onSubmit}>
            {submit}
          </Button>
        </div>
      }
    >
      {children}
    </SideSheet>
  )
}
