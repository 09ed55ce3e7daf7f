// Bulk actions on users. Each user has a row in the audit. All of them can be undone, except deregistering.
import { useState } from 'react'
import { USER_STATUS, type User } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { askConfirmation } from '../../parts/confirm.tsx'
import { PickOne } from '../../parts/combobox.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import type { MenuItem } from '../../parts/menu.tsx'
import { runWithUndo } from '../../parts/undo.ts'
import { Button } from '../../semi.ts'
import { words } from './texts.ts'
import { manageUser, useAuthority, type UpdateUser } from './use-user-acts.ts'

interface Given {
  chosen: readonly User[]
  groups: readonly string[]
  put: UpdateUser
  clear(): void
}

export function useBulk({ chosen, groups, put, clear }: Given) {
  const t = useTexts(words)
  const { may, mayChange } = useAuthority()
  const [grouping, setGrouping] = useState(false)
  const joinNames = (users: readonly User[]) =>
    users.length === 1 ? users[0]!.username : fillPhrase(t.several, { n: users.length })

  /** Runs one after the other. The first failure stops it, and the earlier ones are shown as done. */
  const runInOrder = async (users: readonly User[], work: (user: User) => Promise<void>) => {
    for (const user of users) await work(user)
  }
  const [turn] = useAction(async (action: 'disable' | 'enable') => {
    const status = action === 'disable' ? USER_STATUS.disabled : USER_STATUS.enabled
    const users = chosen.filter((user) => may(action, user) && user.status !== status)
    if (users.length === 0) return notify.error(t.selectNone)
    await runWithUndo({
      message: fillPhrase(action === 'disable' ? t.disabledOne : t.enabledOne, { name: joinNames(users) }),
      act: () => runInOrder(users, (user) => manageUser(put, user, action)),
      back: () => runInOrder(users, (user) => manageUser(put, user, action === 'disable' ? 'enable' : 'disable')),
    })
    clear()
  })
  const setGroup = async ({ id }: User, group: string) => {
    await client.users.update({ id, group })
    put(id, { group })
  }
  const [regroup, busy] = useAction(async (group: string) => {
    const users = chosen.filter((user) => mayChange(user) && user.group !== group)
    if (users.length === 0) return notify.error(t.selectNone)
    await runWithUndo({
      message: fillPhrase(t.groupSet, { name: joinNames(users), group }),
      act: () => runInOrder(users, (user) => setGroup(user, group)),
      back: () => runInOrder(users, (user) => setGroup(user, user.group)),
    })
    setGrouping(false)
    clear()
  })
  const [deregister] = useAction(async () => {
    const users = chosen.filter((user) => may('delete', user))
    if (users.length === 0) return notify.error(t.selectNone)
    const names = users.map(({ username }) => username).join(', ')
    const title = fillPhrase(t.deregisterSome, { n: users.length })
    const body = fillPhrase(t.deregisterSomeBody, { names })
    if (!(await askConfirmation({ title, body, yes: t.deregister }))) return
    await client.users.deleteMany({ ids: users.map(({ id }) => id) })
    const DeletedAt = new Date().toISOString()
    for (const { id } of users) put(id, { DeletedAt })
    notify.success(t.done)
    clear()
  })
  const actions: MenuItem[] = [
    { key: 'enable', label: t.enable, run: () => void turn('enable') },
    { key: 'disable', label: t.disable, run: () => void turn('disable') },
    { key: 'group', label: t.setGroup, run: () => setGrouping(true) },
    { key: 'delete', label: t.deregister, danger: true, divider: true, run: () => void deregister() },
  ]
  const dialog = grouping && (
    <GroupDialog n={chosen.length} groups={groups} busy={busy} onSave={regroup} onClose={() => setGrouping(false)} />
  )
  return { actions, dialog }
}

interface GroupProps {
  n: number
  groups: readonly string[]
  busy: boolean
  onSave(group: string): Promise<void>
  onClose(): void
}

function GroupDialog({ n, groups, busy, onSave, onClose }: GroupProps) {
  const t = useTexts(words)
  const [group, setGroup] = useState('')
  return (
    <Dialog
      title={t.setGroup}
      onClose={onClose}
      onSubmit={() => group !== '' && void onSave(group)}
      foot={
        <Button htmlType="submit" theme="solid" loading={busy} disabled={group === ''}>
          {t.setGroup}
        </Button>
      }
    >
      <Field label={t.group} hint={fillPhrase(t.several, { n })}>
        <PickOne label={t.group} value={group} options={groups.map((value) => ({ value }))} onChange={setGroup} />
      </Field>
    </Dialog>
  )
}
