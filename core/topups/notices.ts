// Handles the reports of payment services. A report needs a valid signature and the exact ordered amount; it is
// credited once. A signed report that is not credited is stored with its order, for an administrator to review.
import { fail, GatewayError } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { WebClient } from '../ports/web.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { creditTopupOrder } from './crediting.ts'
import { createEpayService } from './epay.ts'
import type { PaymentAnswer, PaymentNotice, VerifiedPayment, PaymentService } from './payment.ts'
import { createStripeService } from './stripe.ts'

export interface PaymentPorts {
  storage: Storage
  ledger: Ledger
  clock: Clock
  logger: Logger
  secrets: Secrets
  web: WebClient
  settings(): Settings
}

/** The services that are set up. */
export function listPaymentServices({ settings, secrets, web, clock }: Omit<PaymentPorts, 'storage' | 'ledger'>) {
  const current = settings()
  return [
    createEpayService(current, secrets),
    createStripeService(current, { secrets, web, now: () => seconds(clock) }),
  ].filter((service): service is PaymentService => service !== undefined)
}

/** Takes a report of a service; null where the service is not set up: then there is no such place, and nothing is read. */
export type TakeNotice = (name: string, read: () => Promise<PaymentNotice>) => Promise<PaymentAnswer | null>

export function createTakeNotice(ports: PaymentPorts): TakeNotice {
  return async (name, read) => {
    const service = listPaymentServices(ports).find((each) => each.name === name)
    if (!service) return null
    const notice = await read()
    try {
      const payment = service.read(notice)
      if (payment) await credit(ports, service, payment)
      return service.taken
    } catch (error) {
      if (!(error instanceof GatewayError) || error.kind === 'bug') throw error
      ports.logger.warn('a payment notice was refused', { provider: name, code: error.code })
      return service.refused
    }
  }
}

/** @throws GatewayError topup.notice if no order has the number, or another amount was paid */
async function credit(ports: PaymentPorts, service: PaymentService, payment: VerifiedPayment): Promise<void> {
  const { storage, clock } = ports
  const order = (await storage.topups.findByTradeNo(payment.trade_no)) ?? fail('topup.notice')
  const { money, currency, provider_trade_no } = payment
  const time = seconds(clock)
  const report = { time, provider: service.name, provider_trade_no, money, currency }
  if (order.provider !== service.name || order.money !== money || order.currency !== currency) {
    await storage.topups.addReport(order.id, report)
    fail('topup.notice')
  }
  const result = await creditTopupOrder(ports, order, { time, provider_trade_no })
  if (result === 'cancelled') await storage.topups.addReport(order.id, report)
  // An administrator has completed the order, which then has no number of the service.
  if (result === 'credited_before') await storage.topups.nameProviderOrder(order.id, provider_trade_no)
}
