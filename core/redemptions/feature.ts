// Redemption codes for quota.
import type { Feature } from '../feature.ts'
import { redemptionsContract } from './contract.ts'
import { toAuditAuthor } from '../audit/audit.ts'
import type { Caller, ContractHandlers } from '../auth/caller.ts'
import { requireRecentAuthentication } from '../auth/second-factors.ts'
import type { HandlerInput } from '../contract/endpoint.ts'
import { asWalkedPage, sliceFromOne, resolveCursor } from '../contract/page.ts'
import { fail, type Language } from '../errors.ts'
import type { ApiLimits } from '../limits/api-rate.ts'
import { formatEventText } from '../users/user-language.ts'
import { formatLoggedQuota } from '../logs/event-texts.ts'
import { LOG_ROW_TYPE } from '../calls/log-entry.ts'
import { buildEventLog } from '../logs/log.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Storage, WriteTransaction } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { User } from '../users/user.ts'
import type { RedemptionCode } from './redemption.ts'
import {
  REDEMPTION_CODE_LENGTH,
  isCodeExpired,
  MAX_NEW_CODES,
  REDEMPTION_STATUS,
  toCreditReference,
  redemptionListOrder,
} from './redemption.ts'
import type { RedemptionPatch } from './store.ts'

interface RedemptionPorts {
  storage: Storage
  ledger: Ledger
  clock: Clock
  random: Random
  limits: ApiLimits
  settings(): Settings
}

const NAME_LENGTH = 20
/** The states of codes that are enabled and disabled. */
const SWITCHABLE = [REDEMPTION_STATUS.unused, REDEMPTION_STATUS.disabled]

type Code = Pick<RedemptionCode, 'id' | 'name' | 'quota' | 'status' | 'expired_time' | 'remark'>
const toAuditText = (code: Code | null): string =>
  code
    ? JSON.stringify({
        name: code.name,
        quota: code.quota,
        status: code.status,
        // Left out where they are empty, as for most codes.
        ...(code.expired_time === 0 ? {} : { expired_time: code.expired_time }),
        ...(code.remark === '' ? {} : { remark: code.remark }),
      })
    : ''

function createRedemptionHandlers(ports: RedemptionPorts): ContractHandlers<typeof redemptionsContract> {
  const { storage, clock, random, limits, settings } = ports
  const find = async (id: number) => (await storage.redemptions.find(id)) ?? fail('redemption.missing')
  /** Rows of the audit; the codes themselves are in none. */
  const buildAuditRows = (caller: Caller, verb: string, codes: readonly [before: Code | null, after: Code | null][]) =>
    codes.map(([before, after]) => ({
      ...toAuditAuthor(caller),
      created_at: seconds(clock),
      action: `redemption.${verb}`,
      target: String((after ?? before)?.id ?? 0),
      before: toAuditText(before),
      after: toAuditText(after),
    }))
  /** @throws GatewayError redemption.expiry for a time that is over; 0 is none */
  const requireFuture = (expired_time: number) => {
    if (isCodeExpired({ expired_time }, seconds(clock))) fail('redemption.expiry', {}, { field: 'expired_time' })
  }
  async function page(query: HandlerInput<typeof redemptionsContract.list>, keyword: string) {
    const way = resolveCursor(redemptionListOrder, query, sliceFromOne(query), { keyword })
    return asWalkedPage(query, way, await storage.redemptions.list(keyword, way.slice))
  }

  return {
    list: (query) => page(query, ''),
    search: ({ keyword, ...query }) => page(query, keyword),
    get: ({ id }) => find(id),
    async create({ name, quota, count, expired_time, remark }, { caller }) {
      if (!isName(name) || !Number.isInteger(count) || count < 1 || count > MAX_NEW_CODES) fail('redemption.limits')
      requireFuture(expired_time)
      const keys = Array.from({ length: count }, () => random.text(REDEMPTION_CODE_LENGTH))
      const made = {
        user_id: caller.user?.id ?? 0,
        name: name.trim(),
        quota,
        created_time: seconds(clock),
        expired_time,
        remark,
      }
      const codes = await storage.transaction(async (within) => {
        const inserted = await within.redemptions.insert(keys.map((key) => ({ ...made, key })))
        const rows = buildAuditRows(
          caller,
          'create',
          inserted.map((code) => [null, code]),
        )
        await within.audit.insert(rows)
        return inserted
      })
      return { data: keys, codes }
    },
    async update({ id, version, status_only, name, quota, status, expired_time, remark }, context) {
      const known = await find(id)
      if (!status_only && name !== undefined && !isName(name)) fail('redemption.limits')
      if (status_only && status !== REDEMPTION_STATUS.unused && status !== REDEMPTION_STATUS.disabled) {
        fail('status.unknown')
      }
      if (!status_only && expired_time !== undefined && expired_time !== known.expired_time) requireFuture(expired_time)
      const given = status_only ? { status } : { name: name?.trim(), quota, expired_time, remark }
      const patch: RedemptionPatch = Object.fromEntries(
        Object.entries(given).filter(([field, value]) => value !== undefined && value !== known[field as keyof Code]),
      )
      const isRemarkOnly = Object.keys(patch).every((field) => field === 'remark')
      const isRemark = remark !== undefined && [name, quota, expired_time].every((value) => value === undefined)
      if (!status_only && !isRemark && known.status === REDEMPTION_STATUS.disabled) fail('redemption.disabled')
      const from = isRemarkOnly ? undefined : status_only ? SWITCHABLE : [REDEMPTION_STATUS.unused]
      if (patch.quota !== undefined) requireRecentAuthentication(context, settings().StepUpMinutes, seconds(clock))
      const edit = { version, raises: Object.keys(patch).some((field) => field !== 'status') }
      await storage.transaction(async (within) => {
        if (!(await within.redemptions.update(id, patch, { ...edit, from }))) {
          const { status: now } = (await within.redemptions.find(id)) ?? fail('redemption.missing')
          fail(now === REDEMPTION_STATUS.disabled ? 'redemption.disabled' : 'redemption.used')
        }
        if (Object.keys(patch).length > 0)
          await within.audit.insert(buildAuditRows(context.caller, 'update', [[known, { ...known, ...patch }]]))
      })
      return find(id)
    },
    async delete({ id }, { caller }) {
      const known = await find(id)
      await storage.transaction(async (within) => {
        if (!(await within.redemptions.delete(id))) fail('redemption.missing')
        await within.audit.insert(buildAuditRows(caller, 'delete', [[known, null]]))
      })
      return null
    },
    async redeem({ key }, { caller }) {
      const user = caller.user ?? fail('access.login_required')
      if (key.trim() === '') fail('redemption.empty')
      // Limited by account as well, since one client may have many addresses.
      await limits.count('redemption', `user ${user.id}`)
      const unused = async () => {
        const code = (await storage.redemptions.findByKey(key.trim())) ?? fail('redemption.unknown')
        if (code.status !== REDEMPTION_STATUS.unused) fail('redemption.used')
        return isCodeExpired(code, seconds(clock)) ? fail('redemption.expired') : code
      }
      const code = await unused()
      return redeem(ports, code, user, caller.language).catch(async (error: unknown) => {
        // The value of the code was changed concurrently.
        const again = await unused()
        if (again.quota === code.quota) throw error
        return redeem(ports, again, user, caller.language)
      })
    },
  }
}

const isName = (name: string) => name.trim() !== '' && [...name.trim()].length <= NAME_LENGTH

/**
 * Redeems a code in the transaction of its credit, only if it is still as it was read: unused, not deleted, with the
 * same value. A code has at most one ledger entry; if a former release booked it without marking it, the next attempt
 * marks it.
 */
async function redeem(
  { storage, ledger, clock, settings }: RedemptionPorts,
  code: RedemptionCode,
  user: User,
  language: Language,
): Promise<number> {
  const time = seconds(clock)
  const { id, quota } = code
  const content = formatEventText('redeemed', { quota: formatLoggedQuota(quota, settings()), id }, user, language)
  const reference = toCreditReference(id)
  const log = buildEventLog(user, LOG_ROW_TYPE.topup, time, content, quota)
  const inTransaction = async (within: WriteTransaction) => {
    if (!(await within.redemptions.use(id, { quota, user_id: user.id, time }))) fail('redemption.used')
  }
  if (
    await ledger.credit({
      account_id: user.id,
      kind: 'redemption',
      amount: quota,
      reference,
      log,
      inTransaction,
    })
  )
    return quota
  const entry = await storage.entries.findByReference('redemption', reference)
  if (entry) await storage.redemptions.markUsed(id, { user_id: entry.account_id, time: entry.created_at })
  return fail('redemption.used')
}

export const redemptionsFeature: Feature<RedemptionPorts, typeof redemptionsContract> = {
  contract: redemptionsContract,
  handlers: createRedemptionHandlers,
}
