// Text to paste elsewhere, with a button that copies all of it, and a button that saves it if it is a file.
import { IconCopy, IconDownload } from '@douyinfe/semi-icons'
import type { ReactNode } from 'react'
import { saveContentFile } from '../../data/download.ts'
import { useText } from '../../data/texts.tsx'
import { Button } from '../../semi.ts'
import { useCopy } from './copy.tsx'
import './guide.css'

interface Props {
  /** Name of the text; the message after copying shows it instead of the text. */
  label: string
  /** Shown above the text. */
  head?: ReactNode
  text: string
  /** The file name to save it as. */
  file?: string
  /** The rendered text, if it is more than plain text. */
  children?: ReactNode
}

export function CodeBlock({ label, head, text, file, children }: Props) {
  const t = useText()
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
              aria-label={`${t('Download')} ${label}`}
              data-tip={file}
              onClick={() => saveContentFile(new Blob([text], { type: 'text/plain' }), file)}
            >
              {t('Download')}
            </Button>
          )}
          <Button
            size="small"
            theme="borderless"
            icon={<IconCopy aria-hidden />}
            aria-label={`${t('Copy')} ${label}`}
            onClick={() => void copy(text, label)}
          >
            {t('Copy')}
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
