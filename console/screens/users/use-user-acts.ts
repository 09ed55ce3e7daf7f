// Actions on a user that the viewer's role allows. The row then shows the reply of the server.
import { isAbove, findActionRefusal, type UserAction } from '../../../core/users/authority.ts'
import { USER_STATUS, type User } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useText } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { askConfirmation, type ConfirmationQuestion } from '../../parts/overlay/confirm.tsx'
import type { MenuItem } from '../../parts/overlay/menu.tsx'
import { runWithUndo } from '../../parts/overlay/undo.ts'
/** Applies the result of an action to the list or the page that shows the user. */
export type UpdateUser = (id: number, change: Partial<User>) => void

/** Returns the permissions for actions between users, by the rules of the server. */
export function useAuthority() {
  const { user: me } = useSignedInUser()
  const role = me?.role ?? 0
  return {
    isMe: ({ id }: User) => id === me?.id,
    may: (action: UserAction, user: User) => findActionRefusal(role, user, action) === undefined,
    /** Any change except of the names and the password that users change themselves. */
    mayChange: (user: User) => user.DeletedAt === null && isAbove(role, user.role),
    mayOpen: (user: User) => user.DeletedAt === null && (isAbove(role, user.role) || user.id === me?.id),
  }
}

/** Runs the action, and reports the role and the status of the server's reply. */
export async function manageUserAccount(put: UpdateUser, { id }: Pick<User, 'id'>, action: UserAction): Promise<void> {
  put(id, await apiClient.users.manage({ id, action }))
}

export function useUserActs(put: UpdateUser) {
  const t = useText()
  const format = useFormat()
  const { may } = useAuthority()

  const [runConfirmed] = useAction(async (user: User, action: UserAction, question: ConfirmationQuestion) => {
    if (!(await askConfirmation(question))) return
    await manageUserAccount(put, user, action)
    // The row stays and shows that it is deleted.
    if (action === 'delete') put(user.id, { DeletedAt: new Date().toISOString() })
    showNotice.success(t('operation completed'))
  })
  const [turn] = useAction(async (user: User, action: 'disable' | 'enable') => {
    const name = user.username
    const isEnabled = action === 'enable'
    await runWithUndo({
      message: isEnabled ? t('{name} enabled', { name }) : t('{name} disabled', { name }),
      act: () => manageUserAccount(put, user, action),
      back: () => manageUserAccount(put, user, isEnabled ? 'disable' : 'enable'),
    })
  })

  /** The entries of a user's menu; actions that the role never allows are omitted. */
  return (user: User): MenuItem[] => {
    const name = user.username
    const promote = {
      title: t('Promote {name} to admin?', { name }),
      body: t('Admins see and change channels, users, codes and logs.'),
      yes: t('Promote'),
      harmless: true,
    }
    const demote = {
      title: t('Demote {name} to common user?', { name }),
      body: t('They will only see and change their own things.'),
      yes: t('Demote'),
    }
    const body = t('{name} with a balance of {balance}. This is the same as deleting and cannot be undone.', {
      name,
      balance: format.quota(user.quota),
    })
    const items: (MenuItem & { action: UserAction })[] = [
      {
        action: 'promote',
        key: 'promote',
        label: t('Promote'),
        run: () => void runConfirmed(user, 'promote', promote),
      },
      { action: 'demote', key: 'demote', label: t('Demote'), run: () => void runConfirmed(user, 'demote', demote) },
      user.status === USER_STATUS.enabled
        ? { action: 'disable', key: 'disable', label: t('Disable'), run: () => void turn(user, 'disable') }
        : {
            action: 'enable',
            key: 'enable',
            label: t('Enable'),
            run: () => void turn(user, 'enable'),
            disabled: user.status === USER_STATUS.disabled ? undefined : t('Enabling does not end this state'),
          },
      {
        action: 'delete',
        key: 'delete',
        label: t('Deregister'),
        danger: true,
        divider: true,
        run: () =>
          void runConfirmed(user, 'delete', {
            title: t('Deregister {name}?', { name: user.username }),
            body,
            yes: t('Deregister'),
          }),
      },
    ]
    return items.filter(({ action }) => may(action, user)).map(({ action: _action, ...item }) => item)
  }
}
