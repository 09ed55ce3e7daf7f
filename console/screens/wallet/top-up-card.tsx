// Tops up online: the amount, its price at each enabled payment service, and the link there.
import { useEffect, useState } from 'react'
import { formatShortNumber } from '../../../core/pricing/display.ts'
import { quietClient, RequestFailure } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useServerStatus } from '../../data/status.ts'
import { useTouched } from '../../data/touched.ts'
import { texts, useText } from '../../data/texts.tsx'
import { useAction, useEndpointWithError } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { FormField } from '../../parts/form/field.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { QuotaHint } from '../../parts/text/quota.tsx'
import { Button, Input } from '../../semi.ts'

// Online top-ups: their price, and the way from the order to the payment service.

/** The payment methods, each with its service. */
export const PAYMENT_METHODS = [
  { method: 'zfb', service: 'epay' },
  { method: 'wx', service: 'epay' },
  { method: 'stripe', service: 'stripe' },
] as const
type PaymentMethod = (typeof PAYMENT_METHODS)[number]['method']
export type PaymentService = (typeof PAYMENT_METHODS)[number]['service']

/** Returns the price of a top-up of this many units, as the service formats it: `73.00`. @throws RequestFailure */
async function loadTopupPrice(amount: number, payment_method: PaymentMethod): Promise<string> {
  return (await quietClient.topups.amount({ amount, payment_method })).data
}

/** Creates an order, and sends the browser to its payment page. @throws RequestFailure */
async function startPayment(amount: number, payment_method: PaymentMethod): Promise<void> {
  const { data, url = '' } = await quietClient.topups.pay({ amount, payment_method })
  leaveFor(url, typeof data === 'string' ? {} : data)
}

/** Safari blocks windows that a page opens without a click. */
const isSafari = () => /^((?!chrome|android).)*safari/i.test(navigator.userAgent)

/**
 * Opens the payment page in a new window, so that this page can report the payment. Without fields it is a plain link.
 */
function leaveFor(url: string, fields: Record<string, string>) {
  const target = isSafari() ? '_self' : '_blank'
  if (Object.keys(fields).length === 0) return void window.open(url, target)
  const form = document.createElement('form')
  form.action = url
  form.method = 'POST'
  form.target = target
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('input')
    field.type = 'hidden'
    field.name = name
    field.value = value
    form.append(field)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}

// Returns a value that the user is changing, once the changes have paused.

/** @param wait in ms */
function useDebounced<T>(value: T, wait: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), wait)
    return () => clearTimeout(timer)
  }, [value, wait])
  return settled
}

/** In the unit that the site shows; as multiples of the unit if the site shows quota. */
const PRESETS = [5, 10, 20, 50, 100, 500]
/** Pause after the last change of the amount until its price is requested, in ms. */
const DEBOUNCE = 300

export function TopUpCard({ onOrdered }: { onOrdered(): void }) {
  const t = useText()
  const { services, least, unit } = useTopUps()
  const [amount, setAmount] = useState(Math.max(least, PRESETS[1]! * unit))
  /** The text of the field while it is typed. */
  const [typed, setTyped] = useState<string | null>(null)
  const [isSubmitted, setSubmitted] = useState(false)
  const settled = useDebounced(amount, DEBOUNCE)
  const isShort = amount < least
  const off = services.length === 0
  return (
    <section className="sheet wallet-online" aria-labelledby="online">
      <h2 id="online">{t('Online top-up')}</h2>
      {off && <InlineNote warns>{t('The administrator has not enabled online top-up!')}</InlineNote>}
      <FormField
        label={unit === 1 ? t('Amount (in $)') : t('Amount (quota units)')}
        error={isSubmitted && isShort ? t('Top-up amount cannot be less than {min}', { min: least }) : undefined}
        hint={t('At least {min}', { min: least })}
      >
        <Input
          aria-label={unit === 1 ? t('Amount (in $)') : t('Amount (quota units)')}
          inputMode="numeric"
          disabled={off}
          value={typed ?? String(amount)}
          onChange={(text) => {
            setTyped(text)
            setAmount(Math.max(1, Math.trunc(Number(text)) || 1))
          }}
          onBlur={() => setTyped(null)}
        />
        {unit > 1 && <QuotaHint value={amount} />}
        <div className="field-row">
          {PRESETS.map((preset) => preset * unit)
            .filter((preset) => preset >= least)
            .map((preset) => (
              <Button
                key={preset}
                size="small"
                type={preset === amount ? 'primary' : 'tertiary'}
                disabled={off}
                onClick={() => setAmount(preset)}
              >
                {unit === 1 ? `$${preset}` : formatShortNumber(preset)}
              </Button>
            ))}
        </div>
      </FormField>
      {services.map((service, place) => (
        <ServiceLine
          key={service}
          service={service}
          isFirst={place === 0}
          amount={amount}
          settled={settled === amount}
          isShort={isShort}
          onShort={() => setSubmitted(true)}
          onOrdered={onOrdered}
        />
      ))}
    </section>
  )
}

interface LineProps {
  service: PaymentService
  isFirst: boolean
  amount: number
  /** The amount is not being changed. */
  settled: boolean
  isShort: boolean
  onShort(): void
  onOrdered(): void
}

/**
 * The price of the amount at a service, its rate, and its payment methods. Each price is a request: the prices of services below the
 * first one are requested once the visitor touches the page.
 */
function ServiceLine({ service, isFirst, amount, settled, isShort, onShort, onOrdered }: LineProps) {
  const t = useText()
  const format = useFormat()
  const { rates } = useTopUps()
  const { price, currency } = rates[service]
  const methods = PAYMENT_METHODS.filter((each) => each.service === service).map(({ method }) => method)
  const isTouched = useTouched()
  const isQuoted = settled && !isShort && (isFirst || isTouched)
  const cost = useEndpointWithError(['topups.amount', service, isQuoted ? amount : null], async () =>
    isQuoted ? await loadTopupPrice(amount, methods[0]!) : null,
  )
  const shown = cost.data ? format.price(Math.round(Number(cost.data) * 100), currency) : ''
  const isKnown = isQuoted && !cost.loading && shown !== ''
  const [start, busy] = useAction(async (method: PaymentMethod) => {
    if (isShort) return onShort()
    const payableNow = isKnown
      ? shown
      : format.price(Math.round(Number(await withShownRefusal(loadTopupPrice(amount, method))) * 100), currency)
    const title = t('Confirm the top-up? amount {n}, payable {p}', { n: amount, p: payableNow })
    if (
      !(await askConfirmation({
        title,
        body: t('The page of the payment service opens next.'),
        yes: t('Pay'),
        harmless: true,
      }))
    )
      return
    await withShownRefusal(startPayment(amount, method))
    onOrdered()
  })
  return (
    <div className="wallet-service" role="group" aria-label={t(SERVICE_NAMES[service])}>
      <div>
        <span className="wallet-payable" aria-live="polite">
          {cost.error && isQuoted ? cost.error : t('Payable: {p}', { p: isKnown ? shown : '…' })}
        </span>
        <span className="hint">
          {t('{p} for $1, before the ratio of your group', { p: format.price(Math.round(price * 100), currency) })}
        </span>
      </div>
      <div className="wallet-buttons">
        {methods.map((method) => (
          <Button
            key={method}
            theme="solid"
            className={method === 'wx' ? 'wallet-wechat' : undefined}
            loading={busy}
            onClick={() => void start(method)}
          >
            {t(METHOD_NAMES[method])}
          </Button>
        ))}
      </div>
    </div>
  )
}

const SERVICE_NAMES = texts({ epay: 'Alipay and WeChat', stripe: 'Card' })
const METHOD_NAMES = texts({ zfb: 'Alipay', wx: 'WeChat', stripe: 'Card (Stripe)' })

/**
 * Returns the offers of the site: the enabled services, their rates, and the smallest amount in the unit that it shows.
 */
function useTopUps() {
  const status = useServerStatus()
  const unit = status.display_in_currency ? 1 : status.quota_per_unit
  const on: Record<PaymentService, boolean> = { epay: status.enable_online_topup, stripe: status.enable_stripe_topup }
  return {
    unit,
    least: Math.max(1, Math.ceil(status.min_topup * unit)),
    services: (['epay', 'stripe'] as const).filter((service) => on[service]),
    rates: {
      epay: { price: status.price, currency: 'cny' },
      stripe: { price: status.stripe_price, currency: status.stripe_currency },
    } satisfies Record<PaymentService, { price: number; currency: string }>,
  }
}

/** Shows the refusals of these calls, which are in their data, so that the client does not show them. */
async function withShownRefusal<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof RequestFailure) showNotice.error(error.message)
    throw error
  })
}
