// Signs out, from any place: pending deletions are completed first.
import { useNavigate } from 'react-router'
import { client } from '../data/client.ts'
import { notify } from '../data/notify.ts'
import { useSession } from '../data/session.tsx'
import { useAction } from '../data/use-endpoint.ts'
import { useText } from '../data/texts.tsx'
import { finishDeletions } from '../parts/undo.ts'

export function useSignOut(): () => Promise<void> {
  const t = useText()
  const session = useSession()
  const navigate = useNavigate()
  const [signOut] = useAction(async () => {
    await finishDeletions()
    await client.auth.logout()
    notify.success(t('logout success'))
    session.end()
    await navigate('/login')
  })
  return async () => void (await signOut())
}
