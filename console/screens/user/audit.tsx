// The changes made to a user, with their authors.
import type { User } from '../../../core/users/user.ts'
import { useText } from '../../data/texts.tsx'
import { ChangeTable } from '../audit/change-table.tsx'

export function UserAuditSection({ user: { id, role, status, quota } }: { user: User }) {
  const t = useText()
  return (
    <ChangeTable
      name="user-changes"
      action="user"
      target={String(id)}
      // Reloads after changes on this page, so that they are listed.
      mark={[role, status, quota]}
      empty={t('No changes of this user yet')}
    />
  )
}
