// Credits the amount of an order, once: for the report of a payment service, or by the decision of an administrator.
// The ledger decides, which has one entry under the number of an order in all time.
import { toAuditAuthor } from '../audit/audit.ts'
import type { Caller } from '../auth/caller.ts'
import { LOG_TYPE } from '../calls/log-entry.ts'
import { fail, GatewayError } from '../errors.ts'
import { loggedQuota } from '../logs/event-texts.ts'
import { eventLog } from '../logs/log.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage, Within } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { outranks } from '../users/authority.ts'
import { eventText } from '../users/user-language.ts'
import type { User } from '../users/user.ts'
import { priceText, type TopUp } from './topup.ts'

interface Ports {
  storage: Storage
  ledger: Ledger
  clock: Clock
  settings(): Settings
}

interface Crediting {
  /** Epoch seconds. */
  time: number
  provider_trade_no: string
  /** The administrator who completes the order, and why; undefined for a report of the payment service. */
  decision?: { caller: Caller; reason: string }
}

/**
 * Credits what was ordered, and marks the order as paid in the same transaction. An order that was credited before, or
 * is cancelled, stays as it is. @throws GatewayError topup.notice if its user is missing
 */
export async function creditOrder(
  ports: Ports,
  order: TopUp,
  { time, provider_trade_no, decision }: Crediting,
): Promise<'credited' | 'credited_before' | 'cancelled'> {
  const { storage, ledger, settings } = ports
  const user = (await storage.users.find(order.user_id)) ?? fail('topup.notice')
  const paid = { time, provider_trade_no }
  const text = { quota: loggedQuota(order.quota, settings()), money: priceText(order) }
  const content = decision
    ? eventText('topup_completed', { ...text, who: getDecider(decision.caller, user) }, user, 'en')
    : eventText('topup', text, user, 'en')
  const inTransaction = async (within: Within) => {
    if (!(await within.topups.markPaid(order.id, paid))) fail('topup.decided', { order: order.trade_no })
    if (decision) await recordDecision(within, order, { ...decision, action: 'complete', time })
  }
  try {
    const isNew = await ledger.credit({
      account_id: user.id,
      kind: 'topup',
      amount: order.quota,
      reference: order.trade_no,
      ...(decision
        ? { reason: decision.reason, ...(decision.caller.user ? { by_user_id: decision.caller.user.id } : {}) }
        : {}),
      log: eventLog(user, LOG_TYPE.topup, time, content, order.quota),
      beside: inTransaction,
    })
    if (isNew) return 'credited'
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'topup.decided') return 'cancelled'
    throw error
  }
  // An earlier release marked orders in a second transaction, and may have ended between the two.
  await storage.topups.markPaid(order.id, paid)
  return 'credited_before'
}

const getDecider = ({ user, language }: Caller, payer: User): string =>
  user ? `${user.username} (${user.id})` : eventText('terminal', {}, payer, language)

/**
 * Completes an order for which money came without a report, or with a report of another amount: credits what was
 * ordered. @throws GatewayError topup.missing, topup.decided, user.edit_denied
 */
export async function completeOrder(ports: Ports, tradeNo: string, reason: string, caller: Caller): Promise<TopUp> {
  const order = await findDecidable(ports, tradeNo, caller)
  const decision = { caller, reason }
  const result = await creditOrder(ports, order, { time: seconds(ports.clock), provider_trade_no: '', decision })
  if (result !== 'credited') fail('topup.decided', { order: tradeNo })
  return findOrder(ports, tradeNo)
}

/** Cancels an order for good: later reports are not credited. @throws as `completeOrder` does */
export async function cancelOrder(ports: Ports, tradeNo: string, reason: string, caller: Caller): Promise<TopUp> {
  const { storage, clock } = ports
  const order = await findDecidable(ports, tradeNo, caller)
  const time = seconds(clock)
  // Marked as paid too late by an earlier release.
  if (await storage.entries.findByReference('topup', tradeNo)) fail('topup.decided', { order: tradeNo })
  await storage.transaction(async (within) => {
    if (!(await within.topups.cancel(order.id, time))) fail('topup.decided', { order: tradeNo })
    await recordDecision(within, order, { caller, reason, action: 'cancel', time })
  })
  return findOrder(ports, tradeNo)
}

/** Stores a note at an order of any status, which ends the review of its reports. @throws GatewayError topup.missing */
export async function noteOrder(ports: Ports, tradeNo: string, note: string, caller: Caller): Promise<TopUp> {
  const order = await findOrder(ports, tradeNo)
  const decision = { caller, reason: note, action: 'note', time: seconds(ports.clock) } as const
  await ports.storage.transaction((within) => recordDecision(within, order, decision))
  return findOrder(ports, tradeNo)
}

const findOrder = async ({ storage }: Ports, tradeNo: string): Promise<TopUp> =>
  (await storage.topups.findByTradeNo(tradeNo)) ?? fail('topup.missing', { order: tradeNo })

/** Administrators must outrank the payer, so that they cannot credit their own unpaid orders. */
async function findDecidable(ports: Ports, tradeNo: string, caller: Caller): Promise<TopUp> {
  const order = await findOrder(ports, tradeNo)
  const payer = (await ports.storage.users.find(order.user_id)) ?? fail('user.missing')
  if (!outranks(caller, payer.role)) fail('user.edit_denied')
  if (order.status === 'success' || order.status === 'cancelled') fail('topup.decided', { order: tradeNo })
  return order
}

interface Decision {
  caller: Caller
  reason: string
  action: 'complete' | 'cancel' | 'note'
  /** Epoch seconds. */
  time: number
}

async function recordDecision(within: Within, order: TopUp, { caller, reason, action, time }: Decision): Promise<void> {
  await within.topups.annotate(order.id, { note: reason, noted_by: caller.user?.id ?? 0, noted_time: time })
  const after = {
    note: { note: reason },
    complete: { status: 'success', reason },
    cancel: { status: 'cancelled', reason },
  }
  const before = action === 'note' ? { note: order.note } : { status: order.status }
  await within.audit.insert([
    {
      ...toAuditAuthor(caller),
      created_at: time,
      action: `topup.${action}`,
      target: order.trade_no,
      before: JSON.stringify(before),
      after: JSON.stringify(after[action]),
    },
  ])
}
