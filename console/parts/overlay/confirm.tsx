// Asks for confirmation before an action that cannot be undone, in one dialog that the shell shows.
import { useEffect, useState, type ReactNode } from 'react'
import type { ButtonProps } from '@douyinfe/semi-ui/lib/es/button'
import { createHandlerSlot } from '../../data/page-state.ts'
import { useText } from '../../data/texts.tsx'
import { Button } from '../../semi.ts'
import { ModalDialog } from './dialog.tsx'

export interface ConfirmationQuestion {
  title: string
  /** The consequence; by default, that it cannot be undone. */
  body?: ReactNode
  /** The label of the confirming button, a verb; "Delete" by default. */
  yes?: string
  /** The action destroys nothing. */
  harmless?: boolean
  /** The action can be undone for some seconds (`deleteWithUndo`). */
  undoable?: boolean
}

type PendingQuestion = ConfirmationQuestion & { answer(yes: boolean): void }
const showQuestion = createHandlerSlot<(pending: PendingQuestion) => void>()

/** Resolves to true if the user confirms. */
export const askConfirmation = (question: ConfirmationQuestion): Promise<boolean> =>
  new Promise((answer) => {
    const show = showQuestion.get()
    if (show) show({ ...question, answer })
    else answer(false)
  })

/** The dialog that asks. */
export function ConfirmationHost() {
  const t = useText()
  const [pending, setPending] = useState<PendingQuestion | null>(null)
  useEffect(() => showQuestion.register(setPending), [])
  if (!pending) return null
  const end = (yes: boolean) => {
    setPending(null)
    pending.answer(yes)
  }
  return (
    <ModalDialog
      title={pending.title}
      onClose={() => end(false)}
      foot={
        <>
          <Button type="tertiary" onClick={() => end(false)}>
            {t('Cancel')}
          </Button>
          <Button theme="solid" type={pending.harmless ? 'primary' : 'danger'} onClick={() => end(true)}>
            {pending.yes ?? t('Delete')}
          </Button>
        </>
      }
    >
      {pending.body ?? (pending.harmless || pending.undoable ? null : t('This cannot be undone.'))}
      {pending.undoable && <p>{t('You can undo this for 8 seconds.')}</p>}
    </ModalDialog>
  )
}

interface Props extends Pick<ButtonProps, 'icon' | 'size' | 'theme' | 'disabled' | 'children' | 'aria-label'> {
  question: string
  body?: ReactNode
  yes?: string
  undoable?: boolean
  onConfirm(): Promise<void> | void
}

/** A red button that acts only after a separate confirmation. */
export function ConfirmedButton({ question, body, yes, undoable, onConfirm, children, ...button }: Props) {
  const act = async () => {
    if (await askConfirmation({ title: question, body, yes, undoable })) await onConfirm()
  }
  return (
    <Button type="danger" theme="borderless" size="small" {...button} onClick={() => void act()}>
      {children}
    </Button>
  )
}
