import { StandaloneWord } from './word.tsx'
import { useText } from '../../data/texts.tsx'

// Text that is too long for its place: one line of it, and all of it in a dialog that scrolls.
import { useState, type ReactNode } from 'react'
import { CodeBlock } from './code-block.tsx'
import { useCopy } from './copy.tsx'
import { ModalDialog } from '../overlay/dialog.tsx'
import type { MenuItem } from '../overlay/menu.tsx'
import './long-text.css'

/** The title is shown above the dialog. An empty text is shown as missing. */
export function LongText({ title, text }: { title: string; text: string }) {
  const t = useText()
  const [open, setOpen] = useState(false)
  if (text === '') return <StandaloneWord muted>{t('none')}</StandaloneWord>
  return (
    <>
      <button type="button" className="long-text" onClick={() => setOpen(true)}>
        {text}
      </button>
      {open && <TextDialog title={title} text={text} onClose={() => setOpen(false)} />}
    </>
  )
}

interface DialogProps {
  title: string
  text: string
  /** The text is code, such as JSON. */
  code?: boolean
  onClose(): void
}

export const TextDialog = ({ title, text, code, onClose }: DialogProps) => (
  <ModalDialog title={title} wide onClose={onClose}>
    {code ? (
      <CodeBlock label={title} text={text} />
    ) : (
      <div className="long-text-whole" tabIndex={0} role="region" aria-label={title}>
        {text}
      </div>
    )}
  </ModalDialog>
)

interface Recorded<Row> {
  /** The menu entry for the id, such as "Copy the task ID". */
  copyId: string
  idOf(row: Row): string
  /** The record as JSON; the row itself by default. */
  textOf?(row: Row): string
  /** Further entries of the menu. */
  more?(row: Row): MenuItem[]
}

const formatRow = (row: unknown) => JSON.stringify(row, null, 2)

/** The raw record of a row: a function that opens it, its entries in the menu of the row, and its dialog. */
export function useRawRecord<Row>({ copyId, idOf, textOf = formatRow, more }: Recorded<Row>) {
  const t = useText()
  const [shown, show] = useState<Row | null>(null)
  const [copy, byHand] = useCopy()
  const actions = (row: Row): { more: MenuItem[] } => ({
    more: [
      { key: 'record', label: t('Raw record'), run: () => show(() => row) },
      { key: 'copy', label: copyId, run: () => void copy(idOf(row)) },
      ...(more?.(row) ?? []),
    ],
  })
  const dialog: ReactNode = (
    <>
      {byHand}
      {shown !== null && <TextDialog title={t('Raw record')} text={textOf(shown)} code onClose={() => show(null)} />}
    </>
  )
  return { open: (row: Row) => show(() => row), actions, dialog }
}
