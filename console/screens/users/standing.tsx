// The tags of a user's role and status.
import { ROLE, USER_STATUS, type User } from '../../../core/users/user.ts'
import { useTexts } from '../../data/texts.tsx'
import { Tag, type Color } from '../../parts/tags.tsx'
import { words } from './texts.ts'

type Word = 'common' | 'admin' | 'superAdmin'

const ROLES: Record<number, { word: Word; color: Color | 'white' }> = {
  [ROLE.user]: { word: 'common', color: 'white' },
  [ROLE.admin]: { word: 'admin', color: 'yellow' },
  [ROLE.root]: { word: 'superAdmin', color: 'orange' },
}

export function RoleTag({ role }: Pick<User, 'role'>) {
  const t = useTexts(words)
  const known = ROLES[role]
  return <Tag color={known?.color ?? 'red'}>{known ? t[known.word] : t.unknown}</Tag>
}

export function StatusTag({ status, DeletedAt }: Pick<User, 'status' | 'DeletedAt'>) {
  const t = useTexts(words)
  if (DeletedAt !== null) return <Tag color="red">{t.deregistered}</Tag>
  if (status === USER_STATUS.enabled) return <Tag color="green">{t.activated}</Tag>
  return status === USER_STATUS.disabled ? <Tag color="red">{t.banned}</Tag> : <Tag color="grey">{t.unknown}</Tag>
}
