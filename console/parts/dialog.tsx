// A dialog over the page: the browser's own, which keeps the focus inside and gives it back.
import { IconClose, IconTerminal } from '@douyinfe/semi-icons'
import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useTexts } from '../data/texts.tsx'
import { Button } from '../semi.ts'
import { showTerminal } from './commands.ts'
import { words } from './texts.ts'
import { registerOpenDialog } from './top-layer.ts'
import './dialog.css'

interface Props {
  title: string
  onClose(): void
  children?: ReactNode
  foot?: ReactNode
  /** What Enter in a field, and Ctrl+Enter anywhere, does. */
  onSubmit?: () => void
  /** A panel at the side has the height of the window. */
  side?: 'left' | 'right'
  wide?: boolean
  /** As wide as a menu. */
  narrow?: boolean
  /** Its title is heard and not seen. */
  bare?: boolean
  /** It can only be left by what stands in it. */
  closable?: boolean
}

export function Dialog({ title, onClose, children, foot, onSubmit, side, wide, narrow, bare, closable = true }: Props) {
  const t = useTexts(words)
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current!
    shown.showModal()
    focusFirst(shown)
    const gone = registerOpenDialog(shown)
    return () => {
      // Only a dialog that is closed gives the focus back.
      shown.close()
      gone()
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // The browser would close it whatever we say.
      event.preventDefault()
      event.stopPropagation()
      if (closable) onClose()
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && onSubmit) {
      event.preventDefault()
      event.stopPropagation()
      onSubmit()
    }
  }
  const inside = (
    <>
      <header className={bare ? 'only-heard' : 'dialog-head'}>
        <h1 id={id}>{title}</h1>
        {side === 'right' && (
          <Button
            className="dialog-terminal"
            theme="borderless"
            type="tertiary"
            icon={<IconTerminal aria-hidden />}
            aria-label={t.terminal}
            data-tip={t.terminal}
            onClick={showTerminal}
          />
        )}
        {closable && !bare && (
          <Button
            theme="borderless"
            type="tertiary"
            icon={<IconClose aria-hidden />}
            aria-label={t.close}
            onClick={onClose}
          />
        )}
      </header>
      <div className="dialog-body">{children}</div>
      {foot && <footer className="dialog-foot">{foot}</footer>}
    </>
  )
  return (
    <dialog
      ref={dialog}
      className={`dialog${side ? ` dialog-side dialog-${side}` : ''}${wide ? ' dialog-wide' : ''}${narrow ? ' dialog-narrow' : ''}${bare ? ' dialog-bare' : ''}`}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      // Asked by the browser where no key is heard: the focus is nowhere, or a phone goes back. A field of files has such an event
      // of its own.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (closable) onClose()
      }}
    >
      {onSubmit ? (
        <form
          className="dialog-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            // It may lie over a form that it was opened from.
            event.stopPropagation()
            onSubmit()
          }}
        >
          {inside}
        </form>
      ) : (
        <div className="dialog-form">{inside}</div>
      )}
    </dialog>
  )
}

const FIELDS = 'input:not([disabled], [type=hidden], [readonly]), select, textarea:not([readonly]), [role=combobox]'

/** The first field; without one the last button, which is what the dialog is about. */
function focusFirst(dialog: HTMLDialogElement) {
  const first = dialog.querySelector<HTMLElement>(`.dialog-body :is(${FIELDS})`)
  const buttons = dialog.querySelectorAll<HTMLElement>('.dialog-foot button')
  const wanted = first ?? buttons[buttons.length - 1]
  wanted?.focus()
}
