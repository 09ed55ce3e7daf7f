// The reads and changes of this page as command lines, which return the same rows and make the same changes.
import { buildCommandLine } from '../../core/contract/command-line.ts'
import { type RecordedCall, listPageCalls } from '../data/client.ts'
import { endpointOutlines } from '../data/outlines.built.ts'
import { secretFieldNames } from '../data/secret-fields.built.ts'
import { useText } from '../data/texts.tsx'
import { CopyableText } from '../parts/text/copy.tsx'
import { ModalDialog } from '../parts/overlay/dialog.tsx'
import { Button } from '../semi.ts'
import { toCommandLine } from './command-lines.ts'
import './palette.css'

export function WebTerminal({ onClose }: { onClose(): void }) {
  const t = useText()
  const calls = listPageCalls()
  const part = (title: string, those: RecordedCall[]) =>
    those.length > 0 && (
      <>
        <h2>{title}</h2>
        <ul className="command-lines">
          {those.map(({ name, input }, index) => (
            <li key={index}>
              <CopyableText text={formatCall(name, input)} />
            </li>
          ))}
        </ul>
      </>
    )
  return (
    <ModalDialog
      title={t('The same in the terminal')}
      wide
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onClose}>
          {t('Close')}
        </Button>
      }
    >
      <p className="muted">
        {t('These commands give the same rows and make the same changes as this page did, on this gateway or another.')}
      </p>
      {part(
        t('Data of this page'),
        calls.filter(({ isChange }) => !isChange),
      )}
      {part(
        t('Changed here'),
        calls.filter(({ isChange }) => isChange),
      )}
      {calls.length === 0 && <p>{t('This page has made no requests.')}</p>}
    </ModalDialog>
  )
}

function formatCall(name: string, input: RecordedCall['input']) {
  const [feature = '', endpoint = ''] = name.split('.')
  return (
    toCommandLine(name, input) ??
    buildCommandLine(name, endpointOutlines[feature]![endpoint]!, input, secretFieldNames[name])
  )
}
