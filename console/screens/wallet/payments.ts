// Online top-ups: what they cost, and the way from the order to the payment service.
import { client, RequestFailure, withoutErrorToast } from '../../data/client.ts'

/** Ways to pay, with the service that each belongs to. */
export const METHODS = [
  { method: 'zfb', service: 'epay' },
  { method: 'wx', service: 'epay' },
  { method: 'stripe', service: 'stripe' },
] as const
export type Method = (typeof METHODS)[number]['method']
export type Service = (typeof METHODS)[number]['service']

/** What a top-up of so many units costs, as the service writes it: `73.00`. @throws RequestFailure */
export const payable = (amount: number, payment_method: Method): Promise<string> =>
  explained(async () => (await client.topups.amount({ amount, payment_method })).data)

/** Orders, and sends the browser to where it is paid. @throws RequestFailure */
export async function pay(amount: number, payment_method: Method): Promise<void> {
  const { data, url = '' } = await explained(() => client.topups.pay({ amount, payment_method }))
  leaveFor(url, typeof data === 'string' ? {} : data)
}

/** A refusal of these calls says why in `data`; its message is `error`. */
async function explained<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await withoutErrorToast(call)
  } catch (error) {
    const why = error instanceof RequestFailure ? error.beside['data'] : undefined
    if (!(error instanceof RequestFailure) || typeof why !== 'string') throw error
    throw new RequestFailure(why, { status: error.status, cause: error })
  }
}

/** Safari opens no window for what a page does by itself. */
const isSafari = () => /^((?!chrome|android).)*safari/i.test(navigator.userAgent)

/** A new window has the payment page, so that this one can tell when the money is there. Without fields it is just gone to. */
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
