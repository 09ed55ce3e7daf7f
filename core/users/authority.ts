// Decides which user may act on which other one. Pure.
import type { Caller } from '../auth/caller.ts'
import { fail, type ErrorCode } from '../errors.ts'
import { isRoot, USER_ROLE, type User } from './user.ts'

type Ranked = Pick<User, 'role'>

/** The terminal on the host acts as the super administrator. */
const getRole = (caller: Caller): number => (caller.via === 'local' ? USER_ROLE.root : (caller.user?.role ?? 0))

/**
 * Returns true if the role is higher than the other; the super administrator is above all users, themselves included.
 */
export const isAbove = (role: number, other: number): boolean => role > other || isRoot({ role })

export const isCallerAbove = (caller: Caller, role: number): boolean => isAbove(getRole(caller), role)

export const USER_ACTIONS = ['promote', 'demote', 'disable', 'enable', 'delete'] as const
export type UserAction = (typeof USER_ACTIONS)[number]

/** Returns why that role may not perform the action, by the first rule that forbids it; undefined if it may. */
export function findActionRefusal(
  role: number,
  target: Ranked & Pick<User, 'DeletedAt'>,
  action: UserAction,
): ErrorCode | undefined {
  if (!isAbove(role, target.role)) return 'user.edit_denied'
  if (target.DeletedAt !== null) return 'user.deregistered'
  if (action === 'disable' && isRoot(target)) return 'user.root_disable'
  if (action === 'delete' && isRoot(target)) return 'user.root_delete'
  if (action === 'promote') {
    if (!isRoot({ role })) return 'user.promote_denied'
    if (target.role >= USER_ROLE.admin) return 'user.already_admin'
  }
  if (action === 'demote') {
    if (isRoot(target)) return 'user.root_demote'
    if (target.role === USER_ROLE.user) return 'user.already_user'
  }
  return undefined
}

/** @throws GatewayError user.* */
export function mayManage(caller: Caller, target: Ranked & Pick<User, 'DeletedAt'>, action: UserAction): void {
  const refusal = findActionRefusal(getRole(caller), target, action)
  if (refusal) fail(refusal)
}
