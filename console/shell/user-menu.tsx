// Who is signed in, and the way out.
import { IconExit } from '@douyinfe/semi-icons'
import { Avatar, Dropdown } from '../semi.ts'
import { useNavigate } from 'react-router'
import type { SignedIn } from '../../core/auth/signed-in.ts'
import { client } from '../data/client.ts'
import { notify } from '../data/notify.ts'
import { useSession } from '../data/session.tsx'
import { fill, useTexts } from '../data/texts.tsx'
import { useAction } from '../data/use-endpoint.ts'
import { hashedColor } from '../parts/tags.tsx'
import { useMobile } from '../parts/use-mobile.ts'
import { words } from './texts.ts'

export function UserMenu({ user }: { user: SignedIn }) {
  const t = useTexts(words)
  const mobile = useMobile()
  const session = useSession()
  const navigate = useNavigate()
  const [logout] = useAction(async () => {
    await client.auth.logout()
    notify.success(t.loggedOut)
    session.end()
    await navigate('/login')
  })
  return (
    <Dropdown
      trigger="click"
      position="bottomRight"
      clickToHide
      render={
        <Dropdown.Menu className="user-menu">
          <Dropdown.Title className="user-menu-title">
            <strong>{user.display_name || user.username}</strong>
            <span>{fill(t.group, { group: user.group })}</span>
          </Dropdown.Title>
          <Dropdown.Divider />
          <Dropdown.Item icon={<IconExit aria-hidden />} onClick={() => void logout()}>
            {t.logout}
          </Dropdown.Item>
        </Dropdown.Menu>
      }
    >
      <button type="button" className="user-button" aria-label={t.userMenu}>
        <Avatar size="small" color={hashedColor(user.username)} alt="">
          {user.username.slice(0, 1).toUpperCase()}
        </Avatar>
        {!mobile && <span>{user.username}</span>}
      </button>
    </Dropdown>
  )
}
