// Buying quota; orders that were not paid in time expire.
import type { Feature } from '../feature.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import { topupsContract } from './contract.ts'
import type { NewTopUp } from './topup.ts'
import { formatHundredths, ORDER_LIFETIME_SECONDS, parseHundredths, toPayersOrder, topupListOrder } from './topup.ts'
import { type Caller, type ContractHandlers, requireUser } from '../auth/caller.ts'
import { MAX_AMOUNT } from '../contract/filter.ts'
import type { HandlerInput } from '../contract/endpoint.ts'
import { asWalkedPage, resolveCursor, sliceFromOne } from '../contract/page.ts'
import { fail } from '../errors.ts'
import type { Random } from '../ports/random.ts'
import { computeTopUpAmount } from '../pricing/topup-amount.ts'
import type { Settings } from '../settings/index.ts'
import type { User } from '../users/user.ts'
import { cancelTopupOrder, completeTopupOrder, noteTopupOrder } from './crediting.ts'
import { listPaymentServices, type PaymentPorts } from './notices.ts'
import type { PaymentService } from './payment.ts'
import type { OrderFilter } from './store.ts'

interface TopupRequest {
  amount: number
  payment_method: string
}

interface TopUpPorts extends PaymentPorts {
  random: Random
}

function createTopUpHandlers(ports: TopUpPorts): ContractHandlers<typeof topupsContract> {
  const { storage, clock, random, settings } = ports

  /** @throws GatewayError topup.unset, topup.min, topup.low, topup.high, topup.whole */
  function quote({ user }: Caller, { amount, payment_method }: TopupRequest) {
    const payer = user ?? fail('access.login_required')
    const serviceName = payment_method === 'stripe' ? 'stripe' : 'epay'
    const service = listPaymentServices(ports).find(({ name }) => name === serviceName) ?? fail('topup.unset')
    // The service could not report a payment, so that it would never be credited.
    if (settings().ServerAddress === '') fail('topup.unset')
    return { payer, service, ...priced(amount, payer, service, settings()) }
  }

  async function order(caller: Caller, request: TopupRequest) {
    const { payer, service, money, quota } = quote(caller, request)
    const time = seconds(clock)
    const topUp: NewTopUp = {
      user_id: payer.id,
      trade_no: `USR${payer.id}NO${random.text(6)}${time}`,
      provider: service.name,
      method: service.method(request.payment_method),
      amount: request.amount,
      money,
      currency: service.currency,
      quota,
      create_time: time,
    }
    // First the order, then the way to pay it: what is paid can always be credited.
    await storage.topups.insert(topUp)
    return service.begin(topUp)
  }

  async function page(query: HandlerInput<typeof topupsContract.listSelf>, filter: OrderFilter) {
    const way = resolveCursor(topupListOrder, query, sliceFromOne(query), { ...filter })
    return asWalkedPage(query, way, await storage.topups.list(filter, way.slice))
  }

  return {
    amount: async (request, { caller }) => ({ data: formatHundredths(quote(caller, request).money), message: SUCCESS }),
    async pay(request, { caller }) {
      const { fields, url } = await order(caller, request)
      return { data: fields, url, message: SUCCESS }
    },
    async verifyNotice({ service, report, signature }) {
      const found = listPaymentServices(ports).find(({ name }) => name === service) ?? fail('topup.unset')
      const fields = Object.fromEntries(new URLSearchParams(report.replace(/^[^?]*\?/, '')))
      const paid = found.read({ fields, headers: { 'stripe-signature': signature }, body: report })
      const { trade_no = null, money = 0, currency = found.currency } = paid ?? {}
      return { trade_no, money: formatHundredths(money), currency }
    },
    complete: ({ trade_no, reason }, { caller }) => completeTopupOrder(ports, trade_no, reason, caller),
    cancel: ({ trade_no, reason }, { caller }) => cancelTopupOrder(ports, trade_no, reason, caller),
    note: ({ trade_no, note }, { caller }) => noteTopupOrder(ports, trade_no, note, caller),
    list: ({ user_id, needs_review, ...query }) => page(query, { user_id: user_id || undefined, needs_review }),
    async listSelf(query, { caller }) {
      const own = await page(query, { user_id: requireUser(caller).id })
      return { ...own, items: own.items.map(toPayersOrder) }
    },
  }
}

const SUCCESS = 'success'

function priced(amount: number, { group }: User, service: PaymentService, settings: Settings) {
  const ratios = settings.TopupGroupRatio
  const result = computeTopUpAmount({
    amount,
    price: service.price,
    topup_group_ratio: (Object.hasOwn(ratios, group || 'default') ? ratios[group || 'default'] : undefined) ?? 1,
    min_topup: settings.MinTopUp,
    display_in_currency: settings.DisplayInCurrencyEnabled,
    quota_per_unit: settings.QuotaPerUnit,
  })
  if (result.result === 'reject') {
    if (result.reason === 'below_minimum') fail('topup.min', { min: result.min_amount })
    if (result.reason === 'amount_too_low') fail('topup.low')
    fail(Number.isInteger(amount) ? 'topup.high' : 'topup.whole')
  }
  if (result.quota_added > MAX_AMOUNT) fail('topup.high')
  return { money: parseHundredths(result.pay_money) ?? fail('topup.high'), quota: result.quota_added }
}

// Expires orders that were not paid in time.

const EVERY_MS = 10 * 60_000
const ORDERS_AT_ONCE = 100

function createTopUpJobs({ storage, clock }: { storage: Storage; clock: Clock }) {
  async function expire(): Promise<void> {
    for (;;) {
      const orders = await storage.topups.unpaid(seconds(clock) - ORDER_LIFETIME_SECONDS, ORDERS_AT_ONCE)
      for (const { id, trade_no } of orders) {
        // Credited, but the process ended before it wrote so: the entry decides.
        const entry = await storage.entries.findByReference('topup', trade_no)
        if (entry) await storage.topups.markPaid(id, { time: entry.created_at, provider_trade_no: '' })
        else await storage.topups.expire(id)
      }
      if (orders.length < ORDERS_AT_ONCE) return
    }
  }
  return [{ name: 'give up unpaid orders', every_ms: EVERY_MS, run: expire }]
}

export const topupsFeature: Feature<TopUpPorts, typeof topupsContract> = {
  contract: topupsContract,
  handlers: createTopUpHandlers,
  jobs: createTopUpJobs,
}
