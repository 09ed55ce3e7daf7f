// Text to paste elsewhere, with a button that copies the whole of it.
import { IconCopy } from '@douyinfe/semi-icons'
import type { ReactNode } from 'react'
import { useTexts } from '../data/texts.tsx'
import { Button } from '../semi.ts'
import { useCopy } from './copy.tsx'
import { words } from './texts.ts'
import './guide.css'

interface Props {
  /** What it is; a notice about the copy shows that instead of the text. */
  label: string
  /** What stands over it. */
  head?: ReactNode
  text: string
}

export function CodeBlock({ label, head, text }: Props) {
  const t = useTexts(words)
  const [copy, dialog] = useCopy()
  return (
    <div className="code-block">
      <header>
        <span>{head}</span>
        <Button
          size="small"
          theme="borderless"
          icon={<IconCopy aria-hidden />}
          aria-label={`${t.copy} ${label}`}
          onClick={() => void copy(text, label)}
        >
          {t.copy}
        </Button>
      </header>
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      {dialog}
    </div>
  )
}
