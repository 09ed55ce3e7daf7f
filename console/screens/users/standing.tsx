// The tags of a user's role and status.
import { USER_ROLE, USER_STATUS, type User } from '../../../core/users/user.ts'
import { text, type TextKey, useText } from '../../data/texts.tsx'
import { StateTag, type TagColor } from '../../parts/text/tags.tsx'

const ROLES: Record<number, { name: TextKey; color: TagColor | 'white' }> = {
  [USER_ROLE.user]: { name: text('common user'), color: 'white' },
  [USER_ROLE.admin]: { name: text('admin'), color: 'yellow' },
  [USER_ROLE.root]: { name: text('super admin'), color: 'orange' },
}

export function RoleTag({ role }: Pick<User, 'role'>) {
  const t = useText()
  const known = ROLES[role]
  return <StateTag color={known?.color ?? 'red'}>{known ? t(known.name) : t('unknown')}</StateTag>
}

export function UserStatusTag({ status, DeletedAt }: Pick<User, 'status' | 'DeletedAt'>) {
  const t = useText()
  if (DeletedAt !== null) return <StateTag color="red">{t('deregistered')}</StateTag>
  if (status === USER_STATUS.enabled) return <StateTag color="green">{t('activated')}</StateTag>
  return status === USER_STATUS.disabled ? (
    <StateTag color="red">{t('banned')}</StateTag>
  ) : (
    <StateTag color="grey">{t('unknown')}</StateTag>
  )
}
