// The tags of a user's role and status.
import { USER_ROLE, USER_STATUS, type User, type UserRoleName, type UserState } from '../../../core/users/user.ts'
import { type TextKey, texts, useText } from '../../data/texts.tsx'
import { StateTag, type TagColor } from '../../parts/text/tags.tsx'

export const ROLE_TEXTS = texts<UserRoleName>({ user: 'common user', admin: 'admin', root: 'super admin' })
export const STATE_TEXTS = texts<UserState>({
  enabled: 'activated',
  disabled: 'banned',
  deregistered: 'deregistered',
})

const ROLES: Record<number, { name: TextKey; color: TagColor | 'white' }> = {
  [USER_ROLE.user]: { name: ROLE_TEXTS.user, color: 'white' },
  [USER_ROLE.admin]: { name: ROLE_TEXTS.admin, color: 'yellow' },
  [USER_ROLE.root]: { name: ROLE_TEXTS.root, color: 'orange' },
}

export function RoleTag({ role }: Pick<User, 'role'>) {
  const t = useText()
  const known = ROLES[role]
  return <StateTag color={known?.color ?? 'red'}>{known ? t(known.name) : t('unknown')}</StateTag>
}

export function UserStatusTag({ status, DeletedAt }: Pick<User, 'status' | 'DeletedAt'>) {
  const t = useText()
  if (DeletedAt !== null) return <StateTag color="red">{t(STATE_TEXTS.deregistered)}</StateTag>
  if (status === USER_STATUS.enabled) return <StateTag color="green">{t(STATE_TEXTS.enabled)}</StateTag>
  return status === USER_STATUS.disabled ? (
    <StateTag color="red">{t(STATE_TEXTS.disabled)}</StateTag>
  ) : (
    <StateTag color="grey">{t('unknown')}</StateTag>
  )
}
