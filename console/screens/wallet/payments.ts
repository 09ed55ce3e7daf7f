// Online top-ups: their price, and the way from the order to the payment service.
import { quietClient } from '../../data/client.ts'

/** The payment methods, each with its service. */
export const PAYMENT_METHODS = [
  { method: 'zfb', service: 'epay' },
  { method: 'wx', service: 'epay' },
  { method: 'stripe', service: 'stripe' },
] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]['method']
export type PaymentService = (typeof PAYMENT_METHODS)[number]['service']

/** Returns the price of a top-up of this many units, as the service formats it: `73.00`. @throws RequestFailure */
export async function loadTopupPrice(amount: number, payment_method: PaymentMethod): Promise<string> {
  return (await quietClient.topups.amount({ amount, payment_method })).data
}

/** Creates an order, and sends the browser to its payment page. @throws RequestFailure */
export async function startPayment(amount: number, payment_method: PaymentMethod): Promise<void> {
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
