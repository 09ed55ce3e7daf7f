// Who is signed in, and the way out.
import { IconExit } from '@douyinfe/semi-icons'
import { useNavigate } from 'react-router'
import type { SignedIn } from '../../core/auth/signed-in.ts'
import { client } from '../data/client.ts'
import { notify } from '../data/notify.ts'
import { useSession } from '../data/session.tsx'
import { fill, useTexts } from '../data/texts.tsx'
import { useAction } from '../data/use-endpoint.ts'
import { Avatar } from '../parts/avatar.tsx'
import { opensMenu } from '../parts/menu.tsx'
import { finishDeletions } from '../parts/undo.ts'
import { useMobile } from '../parts/use-mobile.ts'
import { words } from './texts.ts'

export function UserMenu({ user }: { user: SignedIn }) {
  const t = useTexts(words)
  const mobile = useMobile()
  const session = useSession()
  const navigate = useNavigate()
  const [logout] = useAction(async () => {
    await finishDeletions()
    await client.auth.logout()
    notify.success(t.loggedOut)
    session.end()
    await navigate('/login')
  })
  const head = (
    <>
      <strong>{user.display_name || user.username}</strong>
      <span>{fill(t.group, { group: user.group })}</span>
    </>
  )
  const items = () => [{ key: 'logout', label: t.logout, icon: <IconExit aria-hidden />, run: () => void logout() }]
  return (
    <button type="button" className="user-button" {...opensMenu(t.userMenu, items, head)}>
      <Avatar name={user.username} />
      <span className="only-heard">{t.userMenu}</span>
      {!mobile && <span>{user.username}</span>}
    </button>
  )
}
