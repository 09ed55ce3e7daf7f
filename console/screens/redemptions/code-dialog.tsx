// One code, to be read or scanned with a camera.
import type { RedemptionCode } from '../../../core/redemptions/redemption.ts'
import { useServerAddress } from '../../data/status.ts'
import { useText } from '../../data/texts.tsx'
import { CopyableText } from '../../parts/text/copy.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { QrCode } from '../../parts/text/qr-code.tsx'
import { Button } from '../../semi.ts'
import { buildRedeemAddress } from './handed-out.ts'

export function RedemptionCodeDialog({ code, onClose }: { code: RedemptionCode; onClose(): void }) {
  const t = useText()
  const address = buildRedeemAddress(useServerAddress(), code.key)
  return (
    <ModalDialog
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
          <FormField label={t('Code', { context: 'redemption' })}>
            <CopyableText text={code.key} />
          </FormField>
          <FormField label={t('Address that fills in the code')}>
            <CopyableText text={address} />
          </FormField>
        </div>
      </div>
    </ModalDialog>
  )
}
