// The data protection requests of a user: a copy of all data, and erasure.
import { useNavigate } from 'react-router'
import { isRoot, type User } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { downloadFile } from '../../data/download.ts'
import { notify } from '../../data/notify.ts'
import { useSession } from '../../data/session.tsx'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { askConfirmation } from '../../parts/confirm.tsx'
import type { MenuItem } from '../../parts/menu.tsx'
import { words } from './texts.ts'

export function useDataActs(user: User): MenuItem[] {
  const t = useTexts(words)
  const { user: me } = useSession()
  const navigate = useNavigate()
  const { id, username: name } = user
  const [save] = useAction(() => downloadFile('privacy', 'export', { user_id: id }, `weir-data-${id}.json`))
  const [forget] = useAction(async () => {
    const question = { title: fillPhrase(t.forgetAsk, { name }), body: t.forgetBody, yes: t.forget }
    if (!(await askConfirmation(question))) return
    await client.privacy.forget({ user_id: id })
    notify.success(fillPhrase(t.forgotten, { id: String(id) }))
    await navigate('/user')
  })
  const mayForget = me !== null && isRoot(me) && !isRoot(user)
  return [
    { key: 'export', label: t.exportData, divider: true, run: () => void save() },
    ...(mayForget ? [{ key: 'forget', label: t.forget, danger: true, run: () => void forget() }] : []),
  ]
}
