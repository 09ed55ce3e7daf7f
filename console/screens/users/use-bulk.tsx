// Bulk actions on users. Each user has a row in the audit. All of them can be undone, except deregistering.
import { useState } from 'react'
import { USER_STATUS, type User } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { loadLater } from '../../parts/load-later.ts'
import type { MenuItem } from '../../parts/overlay/menu.tsx'
import { runWithUndo } from '../../parts/overlay/undo.ts'
import { manageUserAccount, useAuthority, type UpdateUser } from './use-user-acts.ts'

const GroupDialog = loadLater(async () => (await import('./group-dialog.tsx')).GroupDialog)

interface ChosenUsers {
  chosen: readonly User[]
  groups: readonly string[]
  put: UpdateUser
  clear(): void
}

export function useUserBatch({ chosen, groups, put, clear }: ChosenUsers) {
  const t = useText()
  const { may, mayChange } = useAuthority()
  const [grouping, setGrouping] = useState(false)
  const joinNames = (users: readonly User[]) =>
    users.length === 1 ? users[0]!.username : t('{n} users', { n: users.length })

  /** Runs one after the other. The first failure stops it, and the earlier ones are shown as done. */
  const runInOrder = async (users: readonly User[], work: (user: User) => Promise<void>) => {
    for (const user of users) await work(user)
  }
  const [turn] = useAction(async (action: 'disable' | 'enable') => {
    const status = action === 'disable' ? USER_STATUS.disabled : USER_STATUS.enabled
    const users = chosen.filter((user) => may(action, user) && user.status !== status)
    if (users.length === 0) return showNotice.error(t('You cannot do this to any of these users'))
    await runWithUndo({
      message: t(action === 'disable' ? '{name} disabled' : '{name} enabled', { name: joinNames(users) }),
      act: () => runInOrder(users, (user) => manageUserAccount(put, user, action)),
      back: () =>
        runInOrder(users, (user) => manageUserAccount(put, user, action === 'disable' ? 'enable' : 'disable')),
    })
    clear()
  })
  const setGroup = async ({ id }: User, group: string) => {
    await apiClient.users.update({ id, group })
    put(id, { group })
  }
  const [regroup, busy] = useAction(async (group: string) => {
    const users = chosen.filter((user) => mayChange(user) && user.group !== group)
    if (users.length === 0) return showNotice.error(t('You cannot do this to any of these users'))
    await runWithUndo({
      message: t('group of {name} changed to {group}', { name: joinNames(users), group }),
      isSentence: true,
      act: () => runInOrder(users, (user) => setGroup(user, group)),
      back: () => runInOrder(users, (user) => setGroup(user, user.group)),
    })
    setGrouping(false)
    clear()
  })
  const [deregister] = useAction(async () => {
    const users = chosen.filter((user) => may('delete', user))
    if (users.length === 0) return showNotice.error(t('You cannot do this to any of these users'))
    const names = users.map(({ username }) => username).join(', ')
    const title = t('Deregister {n} users?', { n: users.length })
    const body = t('Their accounts stay, marked as deregistered, and can never be used again: {names}', { names })
    if (!(await askConfirmation({ title, body, yes: t('Deregister') }))) return
    await apiClient.users.deleteMany({ ids: users.map(({ id }) => id) })
    const DeletedAt = new Date().toISOString()
    for (const { id } of users) put(id, { DeletedAt })
    showNotice.success(t('operation completed'))
    clear()
  })
  const actions: MenuItem[] = [
    { key: 'enable', label: t('Enable'), run: () => void turn('enable') },
    { key: 'disable', label: t('Disable'), run: () => void turn('disable') },
    { key: 'group', label: t('Change group'), run: () => setGrouping(true) },
    { key: 'delete', label: t('Deregister'), danger: true, divider: true, run: () => void deregister() },
  ]
  const dialog = grouping && (
    <GroupDialog n={chosen.length} groups={groups} busy={busy} onSave={regroup} onClose={() => setGrouping(false)} />
  )
  return { actions, dialog }
}
