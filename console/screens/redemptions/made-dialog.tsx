// The dialog after codes were created, in which they are handed out.
import type { Redemption } from '../../../core/redemptions/redemption.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Button } from '../../semi.ts'
import { HandOutButtons } from './hand-out-buttons.tsx'
import { words } from './texts.ts'

export function MadeDialog({ codes, onClose }: { codes: readonly Redemption[]; onClose(): void }) {
  const t = useTexts(words)
  const format = useFormat()
  const values = { n: codes.length, name: codes[0]?.name ?? '', amount: format.quota(codes[0]?.quota ?? 0) }
  return (
    <Dialog
      title={t.downloadAsk}
      wide
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      <p>{fillPhrase(t.madeText, values)}</p>
      <HandOutButtons codes={codes} />
      <ul className="made-codes">
        {codes.map(({ id, key }) => (
          <li key={id}>
            <code>{key}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
