// The invoice of one paid order, to print.
import type { TopupOrder } from '../../../core/topups/topup.ts'
import { apiClient, quietClient } from '../../data/client.ts'
import { storedPreferences, usePreference } from '../../data/preferences.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useServerAddress, useServerStatus } from '../../data/status.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { PrintSheet } from '../../parts/overlay/print-sheet.tsx'
import { TextArea } from '../../semi.ts'
import { useWayNames } from './order-columns.tsx'

export function OrderInvoice({ order, onClose }: { order: TopupOrder; onClose(): void }) {
  const t = useText()
  const format = useFormat()
  const wayName = useWayNames()
  const seller = useSeller()
  const [buyer, setBuyer] = useBuyer(order.user_id)
  const payer = usePayer(order.user_id)
  const lines: [string, string][] = [
    [t('Order number'), order.trade_no],
    [t('Payment number'), order.provider_trade_no],
    [t('Payer'), payer],
    [t('Ordered'), format.zoned(order.create_time)],
    [t('Paid'), format.zoned(order.paid_time)],
    [t('Paid by'), wayName(order.method)],
    [t('Quota'), format.quota(order.quota)],
  ]
  return (
    <PrintSheet
      title={t('Invoice of order {order}', { order: order.trade_no })}
      onClose={onClose}
      controls={
        <FormField label={t('Bill to')} hint={t('Name, address and tax number, a line each; kept in this browser')}>
          <TextArea aria-label={t('Bill to')} rows={3} maxLength={LONGEST_BUYER} value={buyer} onChange={setBuyer} />
        </FormField>
      }
    >
      <article className="invoice">
        <header>
          <strong>{seller[0]}</strong>
          <address>{seller.slice(1).join('\n')}</address>
        </header>
        <h2>{t('Invoice')}</h2>
        {buyer.trim() !== '' && (
          <section className="invoice-buyer">
            <h3>{t('Bill to')}</h3>
            <address>{buyer.trim()}</address>
          </section>
        )}
        <dl>
          {lines
            .filter(([, value]) => value !== '')
            .map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        <p className="invoice-sum">
          <span>{t('Amount paid')}</span>
          <strong>{format.price(order.money, order.currency)}</strong>
        </p>
        <p>{t('Paid in full. Thank you.')}</p>
      </article>
    </PrintSheet>
  )
}

const LONGEST_BUYER = 500

/** The seller's lines: as the operator has set them, otherwise the name and the address of the site. */
function useSeller(): string[] {
  const { invoice_seller, system_name } = useServerStatus()
  const address = useServerAddress()
  return invoice_seller.trim() === '' ? [system_name, address] : invoice_seller.trim().split(/\s*\n\s*/)
}

/** The buyer's lines, as they were last entered for this user. */
function useBuyer(id: number): [string, (text: string) => void] {
  const buyers = usePreference(storedPreferences.invoiceBuyers)
  return [buyers[id] ?? '', (text) => storedPreferences.invoiceBuyers.write({ ...buyers, [id]: text })]
}

/** The payer's name and number; only the number if the user cannot be read any more. */
function usePayer(id: number): string {
  const { user } = useSignedInUser()
  const isOwn = user?.id === id
  const { data } = useEndpoint(['users.get', id], () =>
    isOwn ? apiClient.users.self() : quietClient.users.get({ id }),
  )
  if (!data) return `#${id}`
  const name =
    data.display_name && data.display_name !== data.username ? `${data.display_name} (${data.username})` : data.username
  return [`${name}, #${id}`, data.email].filter((part) => part !== '').join(', ')
}
