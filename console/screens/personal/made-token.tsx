// A new access token: its text, to be read and copied only now.
import { IconCopy } from '@douyinfe/semi-icons'
import { useTexts } from '../../data/texts.tsx'
import { useCopy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { Button, Input } from '../../semi.ts'
import { words } from './texts.ts'

export function MadeToken({ token, onClose }: { token: string; onClose(): void }) {
  const t = useTexts(words)
  const [copy, dialog] = useCopy()
  const take = () => void copy(token, t.accessToken)
  return (
    <Dialog
      title={t.accessToken}
      closable={false}
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onClose}>
          {t.kept}
        </Button>
      }
    >
      <Note warns>{t.tokenOnce}</Note>
      <div className="personal-line">
        <Input
          className="mono"
          aria-label={t.accessToken}
          readonly
          value={token}
          onClick={(event) => {
            event.currentTarget.select()
            take()
          }}
        />
        <Button icon={<IconCopy aria-hidden />} aria-label={t.copyToken} onClick={take} />
      </div>
      {dialog}
    </Dialog>
  )
}
