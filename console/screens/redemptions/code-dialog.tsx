// One code, to be read or scanned with a camera.
import type { Redemption } from '../../../core/redemptions/redemption.ts'
import { useServerAddress } from '../../data/status.ts'
import { useText } from '../../data/texts.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { QrCode } from '../../parts/qr-code.tsx'
import { Button } from '../../semi.ts'
import { buildRedeemAddress } from './handed-out.ts'

export function CodeDialog({ code, onClose }: { code: Redemption; onClose(): void }) {
  const t = useText()
  const address = buildRedeemAddress(useServerAddress(), code.key)
  return (
    <Dialog
      title={t('{name} #{id}', { name: code.name, id: code.id })}
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onClose}>
          {t('Done')}
        </Button>
      }
    >
      <div className="one-code">
        <QrCode text={address} label={t('QR code of {name}', { name: code.name })} />
        <div>
          <Field label={t('Code', { context: 'redemption' })}>
            <Copyable text={code.key} />
          </Field>
          <Field label={t('Address that fills it in')}>
            <Copyable text={address} />
          </Field>
        </div>
      </div>
    </Dialog>
  )
}
