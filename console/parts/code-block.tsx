// Text to paste elsewhere, with a button that copies the whole of it, and where it is a file one that saves it.
import { IconCopy, IconDownload } from '@douyinfe/semi-icons'
import type { ReactNode } from 'react'
import { saveFile } from '../data/download.ts'
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
  /** The name of the file it can be saved as. */
  file?: string
  /** The text as it is drawn, where it is more than text. */
  children?: ReactNode
}

export function CodeBlock({ label, head, text, file, children }: Props) {
  const t = useTexts(words)
  const [copy, dialog] = useCopy()
  return (
    <div className="code-block">
      <header>
        <span>{head}</span>
        <span>
          {file && (
            <Button
              size="small"
              theme="borderless"
              icon={<IconDownload aria-hidden />}
              aria-label={`${t.download} ${label}`}
              data-tip={file}
              onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), file)}
            >
              {t.download}
            </Button>
          )}
          <Button
            size="small"
            theme="borderless"
            icon={<IconCopy aria-hidden />}
            aria-label={`${t.copy} ${label}`}
            onClick={() => void copy(text, label)}
          >
            {t.copy}
          </Button>
        </span>
      </header>
      <pre tabIndex={0} role="region" aria-label={label}>
        {children ?? <code>{text}</code>}
      </pre>
      {dialog}
    </div>
  )
}
