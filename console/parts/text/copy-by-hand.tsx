// The dialog with a text that the browser refused to copy.
import { useText } from '../../data/texts.tsx'
import { Button, TextArea } from '../../semi.ts'
import { ModalDialog } from '../overlay/dialog.tsx'

export function CopyByHand({ text, onClose }: { text: string; onClose(): void }) {
  const t = useText()
  const title = t('Unable to copy to clipboard, please copy manually')
  return (
    <ModalDialog title={title} foot={<Button onClick={onClose}>{t('OK')}</Button>} onClose={onClose}>
      <TextArea className="mono" aria-label={title} readOnly autosize value={text} />
    </ModalDialog>
  )
}
