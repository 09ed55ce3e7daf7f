// Acts of the command palette on users.
import { USER_STATUS } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { queryClient } from '../../data/session.tsx'
import { currentLanguage, fillPhrase } from '../../data/texts.tsx'
import { runWithUndo } from '../../parts/undo.ts'
import { declareActs } from '../act.ts'
import { words } from './texts.ts'

async function setUserStatus(id: number, name: string, action: 'disable' | 'enable') {
  const set = async (next: 'disable' | 'enable') => {
    await client.users.manage({ id, action: next })
    await queryClient.invalidateQueries({ queryKey: ['users.list'] })
  }
  const { status } = await client.users.get({ id })
  const before = status === USER_STATUS.enabled ? 'enable' : 'disable'
  const phrase = words[currentLanguage()][action === 'disable' ? 'disabledOne' : 'enabledOne']
  await runWithUndo({ message: fillPhrase(phrase, { name }), act: () => set(action), back: () => set(before) })
}

export const declaration = declareActs({
  opens: { user: ({ id }) => `/user/${id}` },
  acts: [
    {
      key: 'users.create',
      title: { en: 'Create user', zh: '添加用户' },
      access: 'admin',
      run: (go) => go('/user/edit'),
    },
    {
      key: 'users.quota',
      title: { en: 'Add quota to a user…', zh: '为用户添加额度…' },
      access: 'admin',
      about: 'user',
      run: (go, { id }) => go(`/user/${id}`, 'quota'),
    },
    {
      key: 'users.disable',
      title: { en: 'Disable a user…', zh: '禁用用户…' },
      access: 'admin',
      about: 'user',
      run: (_go, { id, name }) => setUserStatus(Number(id), name, 'disable'),
    },
    {
      key: 'users.enable',
      title: { en: 'Enable a user…', zh: '启用用户…' },
      access: 'admin',
      about: 'user',
      run: (_go, { id, name }) => setUserStatus(Number(id), name, 'enable'),
    },
  ],
})
