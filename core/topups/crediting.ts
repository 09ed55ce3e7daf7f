// Credits the amount of an order, once: for the report of a payment service, or by the decision of an administrator.
// The ledger decides, which has one entry under the number of an order in all time.
import { toAuditAuthor } from '../audit/audit.ts'
import type { Caller } from '../auth/caller.ts'
import { LOG_ROW_TYPE } from '../calls/log-entry.ts'
import { fail, GatewayError } from '../errors.ts'
import { formatLoggedQuota } from '../logs/event-texts.ts'
import { buildEventLog } from '../logs/log.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage, WriteTransaction } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { isCallerAbove } from '../users/authority.ts'
import { formatEventText } from '../users/user-language.ts'
import type { User } from '../users/user.ts'
import { formatOrderPrice, type TopupOrder } from './topup.ts'

interface CreditingPorts {
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
export async function creditTopupOrder(
  ports: CreditingPorts,
  order: TopupOrder,
  { time, provider_trade_no, decision }: Crediting,
): Promise<'credited' | 'credited_before' | 'cancelled'> {
  const { storage, ledger, settings } = ports
  const user = (await storage.users.find(order.user_id)) ?? fail('topup.notice')
  const paid = { time, provider_trade_no }
  const text = { quota: formatLoggedQuota(order.quota, settings()), money: formatOrderPrice(order) }
  const content = decision
    ? formatEventText('topup_completed', { ...text, who: getDecider(decision.caller, user) }, user, 'en')
    : formatEventText('topup', text, user, 'en')
  const inTransaction = async (within: WriteTransaction) => {
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
      log: buildEventLog(user, LOG_ROW_TYPE.topup, time, content, order.quota),
      inTransaction,
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
  user ? `${user.username} (${user.id})` : formatEventText('terminal', {}, payer, language)

/**
 * Completes an order for which money came without a report, or with a report of another amount: credits what was
 * ordered. @throws GatewayError topup.missing, topup.decided, user.edit_denied
 */
export async function completeTopupOrder(
  ports: CreditingPorts,
  tradeNo: string,
  reason: string,
  caller: Caller,
): Promise<TopupOrder> {
  const order = await findDecidable(ports, tradeNo, caller)
  const decision = { caller, reason }
  const result = await creditTopupOrder(ports, order, { time: seconds(ports.clock), provider_trade_no: '', decision })
  if (result !== 'credited') fail('topup.decided', { order: tradeNo })
  return findOrder(ports, tradeNo)
}

/** Cancels an order for good: later reports are not credited. @throws as `completeTopupOrder` does */
export async function cancelTopupOrder(
  ports: CreditingPorts,
  tradeNo: string,
  reason: string,
  caller: Caller,
): Promise<TopupOrder> {
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
export async function noteTopupOrder(
  ports: CreditingPorts,
  tradeNo: string,
  note: string,
  caller: Caller,
): Promise<TopupOrder> {
  const order = await findOrder(ports, tradeNo)
  const decision = { caller, reason: note, action: 'note', time: seconds(ports.clock) } as const
  await ports.storage.transaction((within) => recordDecision(within, order, decision))
  return findOrder(ports, tradeNo)
}

const findOrder = async ({ storage }: CreditingPorts, tradeNo: string): Promise<TopupOrder> =>
  (await storage.topups.findByTradeNo(tradeNo)) ?? fail('topup.missing', { order: tradeNo })

/** Administrators must outrank the payer, so that they cannot credit their own unpaid orders. */
async function findDecidable(ports: CreditingPorts, tradeNo: string, caller: Caller): Promise<TopupOrder> {
  const order = await findOrder(ports, tradeNo)
  const payer = (await ports.storage.users.find(order.user_id)) ?? fail('user.missing')
  if (!isCallerAbove(caller, payer.role)) fail('user.edit_denied')
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

async function recordDecision(
  within: WriteTransaction,
  order: TopupOrder,
  { caller, reason, action, time }: Decision,
): Promise<void> {
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
