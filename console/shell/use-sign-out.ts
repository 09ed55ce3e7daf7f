// Signs out, from any place: pending deletions are completed first.
import { useNavigate } from 'react-router'
import { apiClient } from '../data/client.ts'
import { showNotice } from '../data/notify.ts'
import { useSignedInUser } from '../data/session.tsx'
import { useAction } from '../data/use-endpoint.ts'
import { useText } from '../data/texts.tsx'
import { finishDeletions } from '../parts/overlay/undo.ts'

export function useSignOut(): () => Promise<void> {
  const t = useText()
  const session = useSignedInUser()
  const navigate = useNavigate()
  const [signOut] = useAction(async () => {
    await finishDeletions()
    await apiClient.auth.logout()
    showNotice.success(t('logout success'))
    session.end()
    await navigate('/login')
  })
  return async () => void (await signOut())
}
