// The operations of administrators on other users' accounts. Every change is audited.
import { toAuditAuthor } from '../audit/audit.ts'
import type { Caller, HandlerContext } from '../auth/caller.ts'
import { requireRecentAuthentication } from '../auth/second-factors.ts'
import { fail } from '../errors.ts'
import { formatEventText } from './user-language.ts'
import { formatLoggedQuota } from '../logs/event-texts.ts'
import { LOG_ROW_TYPE } from '../calls/log-entry.ts'
import { buildEventLog } from '../logs/log.ts'
import { seconds } from '../ports/clock.ts'
import type { WriteTransaction } from '../ports/storage.ts'
import { type AccountPorts, deregisterUser } from './account.ts'
import { mayManage, isCallerAbove, type UserAction } from './authority.ts'
import { refuseDisplayName } from './name.ts'
import type { UserPatch } from './store.ts'
import { DisplayName, GroupName, PasswordText, USER_ROLE, USER_STATUS, UsernameText, type User } from './user.ts'

interface Edit {
  id: number
  username?: string
  display_name?: string
  password: string
  group?: string
  role?: number
  /** The balance to reach, in quota units. */
  quota?: number
  /** The balance that `quota` was counted from, as rows carry it. */
  quota_before?: number
  reason: string
  remark?: string
  /** Version of the account that was read. */
  version?: number
}

/**
 * Changes all given fields or none. A new balance is recorded as an entry for the difference, with author and reason.
 * @throws GatewayError user.missing, user.edit_denied, user.raise_denied, user.limits, user.name_empty, user.name_taken,
 * user.quota_moved, group.unknown, edit.conflict, access.step_up for a new password or balance
 */
export async function editUserAccount(ports: AccountPorts, edit: Edit, context: HandlerContext): Promise<void> {
  const { storage, settings, clock } = ports
  const { caller } = context
  const target = await storage.users.find(edit.id)
  if (!target || target.DeletedAt !== null) fail('user.missing')
  if (!isCallerAbove(caller, target.role)) fail('user.edit_denied')
  if (edit.role !== undefined && !isCallerAbove(caller, edit.role)) fail('user.raise_denied')
  const amount = quotaChange(edit, target)
  if (edit.password !== '' || amount !== 0)
    requireRecentAuthentication(context, settings().StepUpMinutes, seconds(clock))
  const patch = await buildPatch(ports, edit, target)
  const { password_hash, ...shown } = patch
  const { quota } = target
  const before = {
    ...Object.fromEntries(Object.keys(shown).map((key) => [key, target[key as keyof User]])),
    ...(amount === 0 ? {} : { quota }),
  }
  const why = edit.reason === '' ? {} : { reason: edit.reason }
  const changed = {
    ...shown,
    ...(password_hash ? { password: '***' } : {}),
    ...(amount === 0 ? {} : { quota: quota + amount, ...why }),
  }
  const change = async (within: WriteTransaction) => {
    await within.users.lock(target.id)
    const known = (await within.users.find(target.id)) ?? fail('user.missing')
    if (known.DeletedAt !== null) fail('user.missing')
    if (!isCallerAbove(caller, known.role)) fail('user.edit_denied')
    await within.users.update(target.id, patch, { version: edit.version, raises: Object.keys(patch).length > 0 })
    if (password_hash) await within.sessions.deleteOfUser(target.id)
    if (Object.keys(changed).length === 0) return
    await auditUserChange(ports, within, caller, 'user.edit', target, JSON.stringify(before), JSON.stringify(changed))
  }
  const named = { ...target, username: patch.username ?? target.username }
  await (amount === 0 ? storage.transaction(change) : adjustQuota(ports, named, amount, edit, caller, change))
  await storage.announce({ topic: 'users', id: target.id })
}

async function buildPatch({ secrets, settings }: AccountPorts, edit: Edit, target: User): Promise<UserPatch> {
  const names = [edit.username, edit.display_name !== target.display_name ? edit.display_name : undefined]
  if (names.some((name) => name?.trim() === '')) fail('user.name_empty')
  const username = UsernameText.optional().safeParse(edit.username === target.username ? undefined : edit.username)
  const shown = edit.display_name === target.display_name ? undefined : edit.display_name
  const display_name = DisplayName.optional().safeParse(shown)
  const group = GroupName.optional().safeParse(edit.group)
  if (!display_name.success) refuseDisplayName(shown)
  if (!username.success || !group.success) fail('user.limits')
  const requestedGroup = group.data ?? target.group
  if (requestedGroup !== target.group && !Object.hasOwn(settings().GroupRatio, requestedGroup))
    fail('group.unknown', { group: requestedGroup })
  if (edit.password !== '' && !PasswordText.safeParse(edit.password).success) fail('user.limits')
  const patch: UserPatch = {
    username: username.data,
    display_name: display_name.data,
    group: group.data,
    remark: edit.remark,
  }
  const changed = Object.entries(patch).filter(
    ([key, value]) => value !== undefined && value !== target[key as 'group'],
  )
  return {
    ...(Object.fromEntries(changed) as UserPatch),
    ...(edit.password === '' ? {} : { password_hash: await secrets.hashPassword(edit.password) }),
  }
}

/**
 * Returns the amount to add, relative to the balance that was read. Without that balance the change of an account with
 * charges is refused, since it could refund charges made after the read.
 * @throws GatewayError user.quota_moved
 */
function quotaChange({ quota, quota_before }: Edit, target: User): number {
  if (quota === undefined || (quota_before === undefined && quota === target.quota)) return 0
  if (quota_before === undefined && target.used_quota > 0) fail('user.quota_moved', { quota: target.quota })
  return quota - (quota_before ?? target.quota)
}

async function adjustQuota(
  { ledger, clock, settings }: AccountPorts,
  target: User,
  amount: number,
  { reason }: Edit,
  caller: Caller,
  inTransaction: (within: WriteTransaction) => Promise<void>,
): Promise<void> {
  const who = caller.user
    ? `${caller.user.username} (${caller.user.id})`
    : formatEventText('terminal', {}, target, caller.language)
  const money = (quota: number) => formatLoggedQuota(quota, settings())
  const text = { who, before: money(target.quota), after: money(target.quota + amount) }
  const why = reason === '' ? '' : `: ${reason}`
  const content = formatEventText('adjusted', text, target, caller.language) + why
  await ledger.credit({
    account_id: target.id,
    kind: 'adjustment',
    amount,
    inTransaction,
    ...(caller.user ? { by_user_id: caller.user.id } : {}),
    reason,
    log: buildEventLog(target, LOG_ROW_TYPE.admin, seconds(clock), content),
  })
}

/** @throws GatewayError user.*, access.step_up */
export async function manageUserAccount(
  ports: AccountPorts,
  id: number,
  action: UserAction,
  context: HandlerContext,
): Promise<{ role: number; status: number }> {
  const { storage, settings, clock } = ports
  const target = (await storage.users.find(id)) ?? fail('user.missing')
  mayManage(context.caller, target, action)
  if (PROVEN.includes(action)) requireRecentAuthentication(context, settings().StepUpMinutes, seconds(clock))
  const after = await storage.transaction(async (within) => {
    // Somebody else may have done it, or something else, at the same time.
    await within.users.lock(id)
    const known = (await within.users.find(id)) ?? fail('user.missing')
    mayManage(context.caller, known, action)
    if (action === 'delete') await deregisterUser(within, target, seconds(clock))
    else await within.users.update(id, EFFECTS[action])
    // A ban ends every session for good; an enabled user signs in again.
    if (action === 'disable') await within.sessions.deleteOfUser(id)
    const changed = (await within.users.find(id)) ?? target
    await auditUserChange(
      ports,
      within,
      context.caller,
      `user.${action}`,
      target,
      formatState(known),
      formatState(changed),
    )
    return changed
  })
  await storage.announce({ topic: 'users', id })
  return { role: after.role, status: after.status }
}

/**
 * Deregisters several users, all of them or none. Returns their number. @throws GatewayError user.*, for the first user
 * that may not be deregistered
 */
export async function deregisterManyUsers(
  ports: AccountPorts,
  ids: readonly number[],
  caller: Caller,
): Promise<number> {
  const { storage, clock } = ports
  // In the order of their ids, so that two such changes at once do not wait for each other.
  const inOrder = [...new Set(ids)].sort((one, other) => one - other)
  await storage.transaction(async (within) => {
    for (const id of inOrder) {
      await within.users.lock(id)
      const known = (await within.users.find(id)) ?? fail('user.missing')
      mayManage(caller, known, 'delete')
      await deregisterUser(within, known, seconds(clock))
      const changed = (await within.users.find(id)) ?? known
      await auditUserChange(ports, within, caller, 'user.delete', known, formatState(known), formatState(changed))
    }
  })
  for (const id of inOrder) await storage.announce({ topic: 'users', id })
  return inOrder.length
}

const formatState = ({ role, status }: User): string => JSON.stringify({ role, status })

/**
 * Removes the second factors of a user who has lost their authenticator app or device. A signed-in user removes their
 * factors with a code; the terminal on the host may do it for all users.
 * @throws GatewayError user.missing, user.edit_denied
 */
export async function removeSecondFactors(ports: AccountPorts, id: number, caller: Caller): Promise<void> {
  const { storage } = ports
  const target = (await storage.users.find(id)) ?? fail('user.missing')
  const own = caller.via !== 'local' && caller.user?.id === id
  if (own || !isCallerAbove(caller, target.role)) fail('user.edit_denied')
  const passkeys = await storage.passkeys.listOfUser(id)
  await storage.transaction(async (within) => {
    await within.secondFactors.remove(id)
    for (const passkey of passkeys) await within.passkeys.delete(id, passkey.id)
    await within.sessions.deleteOfUser(id)
    await auditUserChange(ports, within, caller, 'user.remove_proofs', target, '', '')
  })
  await storage.announce({ topic: 'users', id })
}

/**
 * Signs a user out everywhere, for example after the loss of a device. @throws GatewayError user.missing,
 * user.edit_denied
 */
export async function endSessions(ports: AccountPorts, id: number, caller: Caller): Promise<void> {
  const { storage } = ports
  const target = (await storage.users.find(id)) ?? fail('user.missing')
  if (!isCallerAbove(caller, target.role)) fail('user.edit_denied')
  await storage.transaction(async (within) => {
    await within.sessions.deleteOfUser(id)
    await auditUserChange(ports, within, caller, 'user.end_sessions', target, '', '')
  })
  await storage.announce({ topic: 'users', id })
}

/** A role is given or taken, or an account with its money. */
const PROVEN: readonly UserAction[] = ['promote', 'demote', 'delete']

const EFFECTS: Record<Exclude<UserAction, 'delete'>, UserPatch> = {
  promote: { role: USER_ROLE.admin },
  demote: { role: USER_ROLE.user },
  disable: { status: USER_STATUS.disabled },
  enable: { status: USER_STATUS.enabled },
}

/** The row of what an administrator does with an account. */
export async function auditUserChange(
  { clock }: Pick<AccountPorts, 'clock'>,
  { audit }: WriteTransaction,
  caller: Caller,
  action: string,
  target: User,
  before: string,
  after: string,
): Promise<void> {
  const what = { action, target: String(target.id), before, after }
  await audit.insert([{ ...toAuditAuthor(caller), ...what, created_at: seconds(clock) }])
}
