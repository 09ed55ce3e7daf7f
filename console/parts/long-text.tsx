// Text that has no room where it stands: one line of it, and all of it in a dialog that scrolls.
import { useState } from 'react'
import { useTexts } from '../data/texts.tsx'
import { CodeBlock } from './code-block.tsx'
import { Dialog } from './dialog.tsx'
import { words } from './texts.ts'
import './long-text.css'

/** What it is called stands over the dialog; without a text it says that there is none. */
export function LongText({ title, text }: { title: string; text: string }) {
  const t = useTexts(words)
  const [open, setOpen] = useState(false)
  if (text === '') return <span className="muted">{t.none}</span>
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
  /** It is code, such as JSON. */
  code?: boolean
  onClose(): void
}

export const TextDialog = ({ title, text, code, onClose }: DialogProps) => (
  <Dialog title={title} wide onClose={onClose}>
    {code ? (
      <CodeBlock label={title} text={text} />
    ) : (
      <div className="long-text-whole" tabIndex={0} role="region" aria-label={title}>
        {text}
      </div>
    )}
  </Dialog>
)
