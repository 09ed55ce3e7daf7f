// A payment service: begins a payment, and reads what the service reports of it.
import type { Settings } from '../settings/index.ts'
import type { NewTopUp } from './topup.ts'

/** What the caller's browser does next: posts the fields to the address, or just goes there. */
export interface BegunPayment {
  url: string
  fields: Record<string, string>
}

/** A report as it arrived, before anything of it is believed. */
export interface PaymentNotice {
  /** Query and form fields. */
  fields: Record<string, string>
  headers: Record<string, string>
  body: string
}

/** What a proven report says was paid; undefined where it tells of something else than a payment. */
export interface Payment {
  trade_no: string
  provider_trade_no: string
  /** Hundredths of the currency. */
  money: number
  currency: string
}

export interface PaymentService {
  name: 'epay' | 'stripe'
  currency: string
  /** Of one unit, in the currency. */
  price: number
  /** The way of paying at the service, for what the caller asks for. */
  method(asked: string): string
  /** @throws GatewayError topup.start */
  begin(order: NewTopUp): Promise<BegunPayment>
  /** @throws GatewayError topup.notice for what the service did not sign */
  read(notice: PaymentNotice): Payment | undefined
  /** What the service is answered, so that it stops or goes on reporting. */
  taken: PaymentAnswer
  refused: PaymentAnswer
}

export interface PaymentAnswer {
  status: number
  text: string
}

/** Where services report to. */
export const callbackAddress = (settings: Settings): string => settings.CustomCallbackAddress || settings.ServerAddress
