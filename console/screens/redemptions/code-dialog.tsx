// One code, to be read or scanned with a camera.
import type { Redemption } from '../../../core/redemptions/redemption.ts'
import { useServerAddress } from '../../data/status.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { QrCode } from '../../parts/qr-code.tsx'
import { Button } from '../../semi.ts'
import { buildRedeemAddress } from './handed-out.ts'
import { words } from './texts.ts'

export function CodeDialog({ code, onClose }: { code: Redemption; onClose(): void }) {
  const t = useTexts(words)
  const address = buildRedeemAddress(useServerAddress(), code.key)
  return (
    <Dialog
      title={fillPhrase(t.codeTitle, { name: code.name, id: code.id })}
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      <div className="one-code">
        <QrCode text={address} label={fillPhrase(t.qrOf, { name: code.name })} />
        <div>
          <Field label={t.code}>
            <Copyable text={code.key} />
          </Field>
          <Field label={t.address}>
            <Copyable text={address} />
          </Field>
        </div>
      </div>
    </Dialog>
  )
}
