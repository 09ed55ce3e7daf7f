// Copies to the clipboard. If the browser refuses, a dialog shows the text for copying manually.
import { IconCopy } from '@douyinfe/semi-icons'
import { Button } from '../../semi.ts'
import { useState, type ReactNode } from 'react'
import { showNotice } from '../../data/notify.ts'
import { useText } from '../../data/texts.tsx'
import { loadLater } from '../load-later.ts'

const CopyByHand = loadLater(async () => (await import('./copy-by-hand.tsx')).CopyByHand)

/** Copies; resolves to false if the browser refuses. */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyThroughSelection(text)
  }
}

/** Insecure contexts have no clipboard object. */
function copyThroughSelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  return done
}

/** Returns a function that copies and reports it, and the dialog that it may need. */
export function useCopy(): [(text: string, shown?: string) => Promise<void>, ReactNode] {
  const t = useText()
  const [byHand, setByHand] = useState<string | null>(null)
  const copy = async (text: string, shown = text) => {
    if (await copyToClipboard(text)) showNotice.success(t('copied: {text}', { text: shown }))
    else setByHand(text)
  }
  const dialog = byHand !== null && <CopyByHand text={byHand} onClose={() => setByHand(null)} />
  return [copy, dialog]
}

/** Text with a button that copies it. */
export function CopyableText({ text, shown }: { text: string; shown?: string }) {
  const t = useText()
  const [copy, dialog] = useCopy()
  return (
    <span className="copyable">
      <code>{shown ?? text}</code>
      <Button
        theme="borderless"
        type="tertiary"
        size="small"
        icon={<IconCopy aria-hidden />}
        aria-label={`${t('Copy')} ${shown ?? text}`}
        onClick={(event) => {
          event.stopPropagation()
          void copy(text, shown)
        }}
      />
      {dialog}
    </span>
  )
}

/** Text that is copied on click, without a click on its row. */
export function ClickToCopy({ text, children = text, tip }: { text: string; children?: ReactNode; tip?: string }) {
  const [copy, dialog] = useCopy()
  return (
    <>
      <button type="button" className="copy-text" data-tip={tip} onClick={() => void copy(text)}>
        {children}
      </button>
      {dialog}
    </>
  )
}
