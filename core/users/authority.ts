// Who may act on whom. Pure.
import type { Caller } from '../auth/caller.ts'
import { fail } from '../errors.ts'
import { isRoot, ROLE, type User } from './user.ts'

type Ranked = Pick<User, 'role'>

/** The terminal on the host acts as the super administrator. */
const roleOf = (caller: Caller): number => (caller.via === 'local' ? ROLE.root : (caller.user?.role ?? 0))

/** Higher than the other; the super administrator is above everybody, themselves included. */
export const outranks = (caller: Caller, role: number): boolean =>
  roleOf(caller) > role || isRoot({ role: roleOf(caller) })

export const ACTIONS = ['promote', 'demote', 'disable', 'enable', 'delete'] as const
export type Action = (typeof ACTIONS)[number]

/**
 * Refusals in the order of the product's rules.
 * @throws GatewayError user.*
 */
export function mayManage(caller: Caller, target: Ranked & Pick<User, 'DeletedAt'>, action: Action): void {
  if (!outranks(caller, target.role)) fail('user.edit_denied')
  if (target.DeletedAt !== null) fail('user.deregistered')
  if (action === 'disable' && isRoot(target)) fail('user.root_disable')
  if (action === 'delete' && isRoot(target)) fail('user.root_delete')
  if (action === 'promote') {
    if (!isRoot({ role: roleOf(caller) })) fail('user.promote_denied')
    if (target.role >= ROLE.admin) fail('user.already_admin')
  }
  if (action === 'demote') {
    if (isRoot(target)) fail('user.root_demote')
    if (target.role === ROLE.user) fail('user.already_user')
  }
}
