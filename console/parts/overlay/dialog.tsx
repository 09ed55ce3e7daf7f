import { useText } from '../../data/texts.tsx'

// A dialog over the page: the native one, which keeps the focus inside and returns it.
import { IconClose, IconTerminal } from '@douyinfe/semi-icons'
import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { Button } from '../../semi.ts'
import { showTerminal } from '../commands.ts'
import { isTopDialog, registerOpenDialog } from './top-layer.ts'
import './dialog.css'

interface Props {
  title: string
  onClose(): void
  children?: ReactNode
  foot?: ReactNode
  /** Called on Enter in a field, and on Ctrl+Enter anywhere. */
  onSubmit?: () => void
  /** A panel at the side has the height of the window. */
  side?: 'left' | 'right'
  wide?: boolean
  /** Uses the width of a menu. */
  narrow?: boolean
  /** The title is visible to screen readers only. */
  headless?: boolean
  /** Whether it can be closed other than by its content. */
  closable?: boolean
}

/** The event of the browser and that of React. */
type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'preventDefault' | 'stopPropagation'>

export function ModalDialog({
  title,
  onClose,
  children,
  foot,
  onSubmit,
  side,
  wide,
  narrow,
  headless,
  closable = true,
}: Props) {
  const t = useText()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current!
    shown.showModal()
    focusFirst(shown)
    const gone = registerOpenDialog(shown)
    return () => {
      // Only a closed dialog returns the focus.
      shown.close()
      gone()
    }
  }, [])
  const onKeyDown = (event: PressedKey) => {
    if (event.key === 'Escape') {
      // The browser would close it regardless of the state.
      event.preventDefault()
      event.stopPropagation()
      if (closable) onClose()
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && onSubmit) {
      event.preventDefault()
      event.stopPropagation()
      onSubmit()
    }
  }
  const latest = useRef(onKeyDown)
  latest.current = onKeyDown
  useEffect(() => {
    // A control that is disabled or removed while it has the focus leaves the focus to the body of the page.
    const onLostKey = (event: KeyboardEvent) => {
      if (event.target === document.body && isTopDialog(dialog.current)) latest.current(event)
    }
    document.addEventListener('keydown', onLostKey)
    return () => document.removeEventListener('keydown', onLostKey)
  }, [])
  const inside = (
    <>
      <header className={headless ? 'only-heard' : 'dialog-head'}>
        <h1 id={id}>{title}</h1>
        {side === 'right' && (
          <Button
            className="dialog-terminal"
            theme="borderless"
            type="tertiary"
            icon={<IconTerminal aria-hidden />}
            aria-label={t('The same in the terminal')}
            data-tip={t('The same in the terminal')}
            onClick={showTerminal}
          />
        )}
        {closable && !headless && (
          <Button
            theme="borderless"
            type="tertiary"
            icon={<IconClose aria-hidden />}
            aria-label={t('Close')}
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
      className={`dialog${side ? ` dialog-side dialog-${side}` : ''}${wide ? ' dialog-wide' : ''}${narrow ? ' dialog-narrow' : ''}${headless ? ' dialog-bare' : ''}`}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      // The browser sends this event without a key press if the focus is nowhere or a phone goes back. A file field has
      // its own event of the same name.
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
            // The dialog may be inside the form that opened it.
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

/** Focuses the first field; without one the last button, which is the main one. */
function focusFirst(dialog: HTMLDialogElement) {
  const first = dialog.querySelector<HTMLElement>(`.dialog-body :is(${FIELDS})`)
  const buttons = dialog.querySelectorAll<HTMLElement>('.dialog-foot button')
  const target = first ?? buttons[buttons.length - 1]
  target?.focus()
}
