// The tags of a user's role and status.
import { ROLE, USER_STATUS, type User } from '../../../core/users/user.ts'
import { text, type TextKey, useText } from '../../data/texts.tsx'
import { Tag, type Color } from '../../parts/tags.tsx'

const ROLES: Record<number, { name: TextKey; color: Color | 'white' }> = {
  [ROLE.user]: { name: text('common user'), color: 'white' },
  [ROLE.admin]: { name: text('admin'), color: 'yellow' },
  [ROLE.root]: { name: text('super admin'), color: 'orange' },
}

export function RoleTag({ role }: Pick<User, 'role'>) {
  const t = useText()
  const known = ROLES[role]
  return <Tag color={known?.color ?? 'red'}>{known ? t(known.name) : t('unknown')}</Tag>
}

export function StatusTag({ status, DeletedAt }: Pick<User, 'status' | 'DeletedAt'>) {
  const t = useText()
  if (DeletedAt !== null) return <Tag color="red">{t('deregistered')}</Tag>
  if (status === USER_STATUS.enabled) return <Tag color="green">{t('activated')}</Tag>
  return status === USER_STATUS.disabled ? <Tag color="red">{t('banned')}</Tag> : <Tag color="grey">{t('unknown')}</Tag>
}
