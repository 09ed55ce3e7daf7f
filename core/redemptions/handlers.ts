// The redemption endpoints.
import { toAuditAuthor } from '../audit/audit.ts'
import type { Caller } from '../auth/caller.ts'
import type { Handlers } from '../auth/handler.ts'
import { requireReauthentication } from '../auth/step-up.ts'
import type { HandlerInput } from '../contract/endpoint.ts'
import { asWalkedPage, sliceFromOne, resolveCursor } from '../contract/page.ts'
import { fail, type Language } from '../errors.ts'
import type { ApiLimits } from '../limits/api-rate.ts'
import { eventText } from '../users/user-language.ts'
import { loggedQuota } from '../logs/event-texts.ts'
import { LOG_TYPE } from '../calls/log-entry.ts'
import { eventLog } from '../logs/log.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Storage, Within } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { User } from '../users/user.ts'
import type { redemptions } from './contract.ts'
import {
  CODE_LENGTH,
  MAX_CODES,
  REDEMPTION_STATUS,
  redemptionReference,
  type Redemption,
  redemptionList,
} from './redemption.ts'

interface Ports {
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

type Code = Pick<Redemption, 'id' | 'name' | 'quota' | 'status'>
const toAuditText = (code: Code | null): string =>
  code ? JSON.stringify({ name: code.name, quota: code.quota, status: code.status }) : ''

export function createRedemptionHandlers(ports: Ports): Handlers<typeof redemptions> {
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
  async function page(query: HandlerInput<typeof redemptions.list>, keyword: string) {
    const way = resolveCursor(redemptionList, query, sliceFromOne(query), { keyword })
    return asWalkedPage(query, way, await storage.redemptions.list(keyword, way.slice))
  }

  return {
    list: (query) => page(query, ''),
    search: ({ keyword, ...query }) => page(query, keyword),
    get: ({ id }) => find(id),
    async create({ name, quota, count }, { caller }) {
      if (!isName(name) || !Number.isInteger(count) || count < 1 || count > MAX_CODES) fail('redemption.limits')
      const keys = Array.from({ length: count }, () => random.text(CODE_LENGTH))
      const made = { user_id: caller.user?.id ?? 0, name: name.trim(), quota, created_time: seconds(clock) }
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
    async update({ id, version, status_only, name, quota, status }, context) {
      const known = await find(id)
      if (!status_only && known.status === REDEMPTION_STATUS.disabled) fail('redemption.disabled')
      if (!status_only && name !== undefined && !isName(name)) fail('redemption.limits')
      if (status_only && status !== REDEMPTION_STATUS.unused && status !== REDEMPTION_STATUS.disabled) {
        fail('status.unknown')
      }
      const patch = status_only
        ? { status }
        : { ...(name === undefined ? {} : { name: name.trim() }), ...(quota === undefined ? {} : { quota }) }
      if (!status_only && quota !== undefined && quota !== known.quota) {
        requireReauthentication(context, settings().StepUpMinutes, seconds(clock))
      }
      const {
        name: named = known.name,
        quota: value = known.quota,
        status: state = known.status,
      }: Partial<Redemption> = patch
      const edit = { version, raises: named !== known.name || value !== known.quota }
      const after = { id, name: named, quota: value, status: state }
      await storage.transaction(async (within) => {
        const from = status_only ? SWITCHABLE : [REDEMPTION_STATUS.unused]
        if (!(await within.redemptions.updateUnused(id, patch, { ...edit, from }))) {
          const { status: now } = (await within.redemptions.find(id)) ?? fail('redemption.missing')
          fail(now === REDEMPTION_STATUS.disabled ? 'redemption.disabled' : 'redemption.used')
        }
        const isSame = !edit.raises && state === known.status
        if (!isSame) await within.audit.insert(buildAuditRows(context.caller, 'update', [[known, after]]))
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
        return code.status === REDEMPTION_STATUS.unused ? code : fail('redemption.used')
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
  { storage, ledger, clock, settings }: Ports,
  code: Redemption,
  user: User,
  language: Language,
): Promise<number> {
  const time = seconds(clock)
  const { id, quota } = code
  const content = eventText('redeemed', { quota: loggedQuota(quota, settings()), id }, user, language)
  const reference = redemptionReference(id)
  const log = eventLog(user, LOG_TYPE.topup, time, content, quota)
  const inTransaction = async (within: Within) => {
    if (!(await within.redemptions.use(id, { quota, user_id: user.id, time }))) fail('redemption.used')
  }
  if (
    await ledger.credit({
      account_id: user.id,
      kind: 'redemption',
      amount: quota,
      reference,
      log,
      beside: inTransaction,
    })
  )
    return quota
  const entry = await storage.entries.findByReference('redemption', reference)
  if (entry) await storage.redemptions.markUsed(id, { user_id: entry.account_id, time: entry.created_at })
  return fail('redemption.used')
}
