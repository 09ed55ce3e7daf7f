// The invoice of one paid order, to print.
import type { TopUp } from '../../../core/topups/topup.ts'
import { client, quietClient } from '../../data/client.ts'
import { preferences, usePreference } from '../../data/preferences.ts'
import { useSession } from '../../data/session.tsx'
import { useServerAddress, useStatus } from '../../data/status.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { Field } from '../../parts/field.tsx'
import { PrintSheet } from '../../parts/print-sheet.tsx'
import { TextArea } from '../../semi.ts'
import { useWayNames } from './order-columns.tsx'
import { words } from './texts.ts'

export function Invoice({ order, onClose }: { order: TopUp; onClose(): void }) {
  const t = useTexts(words)
  const format = useFormat()
  const wayName = useWayNames()
  const seller = useSeller()
  const [buyer, setBuyer] = useBuyer(order.user_id)
  const payer = usePayer(order.user_id)
  const lines: [string, string][] = [
    [t.order, order.trade_no],
    [t.paymentNumber, order.provider_trade_no],
    [t.payer, payer],
    [t.ordered, format.zoned(order.create_time)],
    [t.paid, format.zoned(order.paid_time)],
    [t.way, wayName(order.method)],
    [t.quota, format.quota(order.quota)],
  ]
  return (
    <PrintSheet
      title={fillPhrase(t.invoiceTitle, { order: order.trade_no })}
      onClose={onClose}
      controls={
        <Field label={t.buyer} hint={t.buyerHint}>
          <TextArea aria-label={t.buyer} rows={3} maxLength={LONGEST_BUYER} value={buyer} onChange={setBuyer} />
        </Field>
      }
    >
      <article className="invoice">
        <header>
          <strong>{seller[0]}</strong>
          <address>{seller.slice(1).join('\n')}</address>
        </header>
        <h2>{t.invoice}</h2>
        {buyer.trim() !== '' && (
          <section className="invoice-buyer">
            <h3>{t.buyer}</h3>
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
          <span>{t.amountPaid}</span>
          <strong>{format.price(order.money, order.currency)}</strong>
        </p>
        <p>{t.thanks}</p>
      </article>
    </PrintSheet>
  )
}

const LONGEST_BUYER = 500

/** The seller's lines: as the operator has set them, otherwise the name and the address of the site. */
function useSeller(): string[] {
  const { invoice_seller, system_name } = useStatus()
  const address = useServerAddress()
  return invoice_seller.trim() === '' ? [system_name, address] : invoice_seller.trim().split(/\s*\n\s*/)
}

/** The buyer's lines, as they were last entered for this user. */
function useBuyer(id: number): [string, (text: string) => void] {
  const buyers = usePreference(preferences.invoiceBuyers)
  return [buyers[id] ?? '', (text) => preferences.invoiceBuyers.write({ ...buyers, [id]: text })]
}

/** The payer's name and number; only the number if the user cannot be read any more. */
function usePayer(id: number): string {
  const { user } = useSession()
  const isOwn = user?.id === id
  const { data } = useEndpoint(['users.get', id], () => (isOwn ? client.users.self() : quietClient.users.get({ id })))
  if (!data) return `#${id}`
  const name =
    data.display_name && data.display_name !== data.username ? `${data.display_name} (${data.username})` : data.username
  return [`${name}, #${id}`, data.email].filter((part) => part !== '').join(', ')
}
