// Recovery codes, each valid for one sign-in without the app. They are shown once.
import { saveFile } from '../../data/download.ts'
import { useStatus } from '../../data/status.ts'
import { useTexts } from '../../data/texts.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { Button } from '../../semi.ts'
import { words } from './texts.ts'

export function BackupCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const t = useTexts(words)
  const { system_name } = useStatus()
  const text = codes.join('\n')
  const save = () => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), `${system_name}-recovery-codes.txt`)
  return (
    <Dialog
      title={t.codesTitle}
      closable={false}
      onClose={onClose}
      foot={
        <>
          <Button type="tertiary" onClick={save}>
            {t.download}
          </Button>
          <Button theme="solid" onClick={onClose}>
            {t.kept}
          </Button>
        </>
      }
    >
      <Note warns>{t.codesOnce}</Note>
      <CodeBlock label={t.codesTitle} text={text} />
    </Dialog>
  )
}
