// Codes on paper, to be cut apart: each with its value and a QR code that leads to the form for redeeming it.
import type { RedemptionCode } from '../../../core/redemptions/redemption.ts'
import { useServerAddress, useServerStatus } from '../../data/status.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { PrintSheet } from '../../parts/overlay/print-sheet.tsx'
import { QrCode } from '../../parts/text/qr-code.tsx'
import { buildRedeemAddress } from './handed-out.ts'

export function CodeSheet({ codes, onClose }: { codes: readonly RedemptionCode[]; onClose(): void }) {
  const t = useText()
  const format = useFormat()
  const server = useServerAddress()
  const { system_name } = useServerStatus()
  return (
    <PrintSheet title={t('Sheet of {n} codes', { n: codes.length })} onClose={onClose}>
      <ul className="code-sheet">
        {codes.map(({ id, name, key, quota }) => (
          <li key={id}>
            <QrCode
              text={buildRedeemAddress(server, key)}
              label={t('QR code of {name}', { name: `${name} #${id}` })}
              size={120}
            />
            <div>
              <strong>{format.quota(quota)}</strong>
              <span>{system_name}</span>
              <code>{key}</code>
              <small>{t('Redeem at {address}', { address: `${server}/topup` })}</small>
            </div>
          </li>
        ))}
      </ul>
    </PrintSheet>
  )
}
