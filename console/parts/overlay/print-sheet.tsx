import { useText } from '../../data/texts.tsx'

// Something to print: a preview in a dialog, and on paper nothing else.
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../../semi.ts'
import { ModalDialog } from './dialog.tsx'
import './print-sheet.css'

interface Props {
  title: string
  onClose(): void
  /** Shown above the sheet, not printed. */
  controls?: ReactNode
  children: ReactNode
}

export function PrintSheet({ title, onClose, controls, children }: Props) {
  const t = useText()
  return (
    <>
      <ModalDialog
        title={title}
        wide
        onClose={onClose}
        foot={
          <>
            <Button type="tertiary" onClick={onClose}>
              {t('Close')}
            </Button>
            <Button theme="solid" onClick={() => window.print()}>
              {t('Print')}
            </Button>
          </>
        }
      >
        {controls}
        <div className="print-preview">{children}</div>
      </ModalDialog>
      {/* A dialog is cut off after the first page, so the printed sheet is rendered outside of all other elements. */}
      {createPortal(
        <div className="print-only" aria-hidden="true">
          {children}
        </div>,
        document.body,
      )}
    </>
  )
}
