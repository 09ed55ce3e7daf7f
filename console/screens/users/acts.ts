// Acts of the command palette on users.
import { USER_STATUS } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { queryClient } from '../../data/session.tsx'
import { translate } from '../../data/texts.tsx'
import { runWithUndo } from '../../parts/overlay/undo.ts'
import { declareActs } from '../act.ts'

async function setUserStatus(id: number, name: string, action: 'disable' | 'enable') {
  const set = async (next: 'disable' | 'enable') => {
    await apiClient.users.manage({ id, action: next })
    await queryClient.invalidateQueries({ queryKey: ['users.list'] })
  }
  const { status } = await apiClient.users.get({ id })
  const before = status === USER_STATUS.enabled ? 'enable' : 'disable'
  const message = translate(action === 'disable' ? '{name} disabled' : '{name} enabled', { name })
  await runWithUndo({ message, act: () => set(action), back: () => set(before) })
}

export const declaration = declareActs({
  opens: { user: ({ id }) => `/user/${id}` },
  acts: [
    {
      key: 'users.create',
      title: (t) => t('Create user'),
      access: 'admin',
      run: (go) => go('/user/edit'),
    },
    {
      key: 'users.quota',
      title: (t) => t('Add quota to a user…'),
      access: 'admin',
      about: 'user',
      run: (go, { id }) => go(`/user/${id}`, 'quota'),
    },
    {
      key: 'users.disable',
      title: (t) => t('Disable a user…'),
      access: 'admin',
      about: 'user',
      run: (_go, { id, name }) => setUserStatus(Number(id), name, 'disable'),
    },
    {
      key: 'users.enable',
      title: (t) => t('Enable a user…'),
      access: 'admin',
      about: 'user',
      run: (_go, { id, name }) => setUserStatus(Number(id), name, 'enable'),
    },
  ],
})
