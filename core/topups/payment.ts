// A payment service: begins a payment, and reads what the service reports of it.
import type { Settings } from '../settings/index.ts'
import type { NewTopUp } from './topup.ts'

/** The next step of the client's browser: it posts the fields to the address, or only opens it. */
export interface StartedPayment {
  url: string
  fields: Record<string, string>
}

/** A report as received, before it is verified. */
export interface PaymentNotice {
  /** Query and form fields. */
  fields: Record<string, string>
  headers: Record<string, string>
  body: string
}

/** The payment in a verified report; undefined if the report is about another event. */
export interface VerifiedPayment {
  trade_no: string
  provider_trade_no: string
  /** Hundredths of the currency. */
  money: number
  currency: string
}

export interface PaymentService {
  name: 'epay' | 'stripe'
  currency: string
  /** Price of one unit, in the currency. */
  price: number
  /** Returns the service's payment method for the requested one. */
  method(requested: string): string
  /** @throws GatewayError topup.start */
  begin(order: NewTopUp): Promise<StartedPayment>
  /** @throws GatewayError topup.notice for what the service did not sign */
  read(notice: PaymentNotice): VerifiedPayment | undefined
  /** The replies to the service, which make it stop or continue reporting. */
  taken: PaymentAnswer
  refused: PaymentAnswer
}

export interface PaymentAnswer {
  status: number
  text: string
}

/** Returns the base address for reports. */
export const getCallbackAddress = (settings: Settings): string =>
  settings.CustomCallbackAddress || settings.ServerAddress
