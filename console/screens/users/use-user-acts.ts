// Actions on a user that the viewer's role allows. The row then shows the reply of the server.
import { isAbove, findActionRefusal, type Action } from '../../../core/users/authority.ts'
import { USER_STATUS, type User } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useSession } from '../../data/session.tsx'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { askConfirmation, type ConfirmQuestion } from '../../parts/confirm.tsx'
import type { MenuItem } from '../../parts/menu.tsx'
import { runWithUndo } from '../../parts/undo.ts'
import { words } from './texts.ts'

/** Applies the result of an action to the list or the page that shows the user. */
export type UpdateUser = (id: number, change: Partial<User>) => void

/** Returns the permissions for actions between users, by the rules of the server. */
export function useAuthority() {
  const { user: me } = useSession()
  const role = me?.role ?? 0
  return {
    isMe: ({ id }: User) => id === me?.id,
    may: (action: Action, user: User) => findActionRefusal(role, user, action) === undefined,
    /** Any change except of the names and the password that users change themselves. */
    mayChange: (user: User) => user.DeletedAt === null && isAbove(role, user.role),
    mayOpen: (user: User) => user.DeletedAt === null && (isAbove(role, user.role) || user.id === me?.id),
  }
}

/** Runs the action, and reports the role and the status of the server's reply. */
export async function manageUser(put: UpdateUser, { id }: Pick<User, 'id'>, action: Action): Promise<void> {
  put(id, await client.users.manage({ id, action }))
}

export function useUserActs(put: UpdateUser) {
  const t = useTexts(words)
  const format = useFormat()
  const { may } = useAuthority()

  const [runConfirmed] = useAction(async (user: User, action: Action, question: ConfirmQuestion) => {
    if (!(await askConfirmation(question))) return
    await manageUser(put, user, action)
    // The row stays and shows that it is deleted.
    if (action === 'delete') put(user.id, { DeletedAt: new Date().toISOString() })
    notify.success(t.done)
  })
  const [turn] = useAction(async (user: User, action: 'disable' | 'enable') => {
    const [phrase, opposite] =
      action === 'disable' ? ([t.disabledOne, 'enable'] as const) : ([t.enabledOne, 'disable'] as const)
    await runWithUndo({
      message: fillPhrase(phrase, { name: user.username }),
      act: () => manageUser(put, user, action),
      back: () => manageUser(put, user, opposite),
    })
  })

  /** The entries of a user's menu; actions that the role never allows are omitted. */
  return (user: User): MenuItem[] => {
    const name = user.username
    const promote = { title: fillPhrase(t.promoteAsk, { name }), body: t.promoteBody, yes: t.promote, harmless: true }
    const demote = { title: fillPhrase(t.demoteAsk, { name }), body: t.demoteBody, yes: t.demote }
    const body = fillPhrase(t.deregisterBody, { name, balance: format.quota(user.quota) })
    const items: (MenuItem & { action: Action })[] = [
      { action: 'promote', key: 'promote', label: t.promote, run: () => void runConfirmed(user, 'promote', promote) },
      { action: 'demote', key: 'demote', label: t.demote, run: () => void runConfirmed(user, 'demote', demote) },
      user.status === USER_STATUS.enabled
        ? { action: 'disable', key: 'disable', label: t.disable, run: () => void turn(user, 'disable') }
        : {
            action: 'enable',
            key: 'enable',
            label: t.enable,
            run: () => void turn(user, 'enable'),
            disabled: user.status === USER_STATUS.disabled ? undefined : t.cannotEnable,
          },
      {
        action: 'delete',
        key: 'delete',
        label: t.deregister,
        danger: true,
        divider: true,
        run: () => void runConfirmed(user, 'delete', { title: t.deregisterAsk, body, yes: t.deregister }),
      },
    ]
    return items.filter(({ action }) => may(action, user)).map(({ action: _action, ...item }) => item)
  }
}
