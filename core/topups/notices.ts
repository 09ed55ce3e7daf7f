// Handles the reports of payment services. A report needs a valid signature and the exact ordered amount; it is
// credited once.
import { fail, GatewayError } from '../errors.ts'
import { eventText } from '../users/user-language.ts'
import { loggedQuota } from '../logs/event-texts.ts'
import { LOG_TYPE } from '../calls/log-entry.ts'
import { eventLog } from '../logs/log.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage, Within } from '../ports/storage.ts'
import type { Web } from '../ports/web.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { User } from '../users/user.ts'
import { epay } from './epay.ts'
import type { PaymentAnswer, PaymentNotice, Payment, PaymentService } from './payment.ts'
import { stripe } from './stripe.ts'
import { moneyText, type TopUp } from './topup.ts'

export interface PaymentPorts {
  storage: Storage
  ledger: Ledger
  clock: Clock
  logger: Logger
  secrets: Secrets
  web: Web
  settings(): Settings
}

/** The services that are set up. */
export function paymentServices({ settings, secrets, web, clock }: Omit<PaymentPorts, 'storage' | 'ledger'>) {
  const current = settings()
  return [epay(current, secrets), stripe(current, { secrets, web, now: () => seconds(clock) })].filter(
    (service): service is PaymentService => service !== undefined,
  )
}

/** Takes a report of a service; null where the service is not set up: then there is no such place, and nothing is read. */
export type TakeNotice = (name: string, read: () => Promise<PaymentNotice>) => Promise<PaymentAnswer | null>

export function createTakeNotice(ports: PaymentPorts): TakeNotice {
  return async (name, read) => {
    const service = paymentServices(ports).find((each) => each.name === name)
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

/** @throws GatewayError topup.notice where the order is another's, or another amount was paid */
async function credit(ports: PaymentPorts, service: PaymentService, payment: Payment): Promise<void> {
  const { storage, ledger, clock } = ports
  const order = (await storage.topups.findByTradeNo(payment.trade_no)) ?? fail('topup.notice')
  const { money, currency } = payment
  if (order.provider !== service.name || order.money !== money || order.currency !== currency) fail('topup.notice')
  const user = (await storage.users.find(order.user_id)) ?? fail('topup.notice')
  const time = seconds(clock)
  const { user_id, quota: amount, trade_no: reference } = order
  const log = eventLog(user, LOG_TYPE.topup, time, topUpText(order, user, ports.settings()), amount)
  const paid = { time, provider_trade_no: payment.provider_trade_no }
  // The entry decides: there is one under an order's number in all time. A repeated notice finds it.
  const inTransaction = (within: Within) => within.topups.markPaid(order.id, paid)
  const isNew = await ledger.credit({
    account_id: user_id,
    kind: 'topup',
    amount,
    reference,
    log,
    beside: inTransaction,
  })
  // A release before this one may have been gone between the two.
  if (!isNew) await storage.topups.markPaid(order.id, paid)
}

function topUpText({ quota, money, currency }: TopUp, user: User, settings: Settings): string {
  const paid = `${moneyText(money)} ${currency.toUpperCase()}`
  return eventText('topup', { quota: loggedQuota(quota, settings), money: paid }, user, 'en')
}
