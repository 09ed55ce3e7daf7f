// The signed-in user, and the way to sign out.
import { IconExit } from '@douyinfe/semi-icons'
import type { SignedIn } from '../../core/auth/signed-in.ts'
import { fillPhrase, useTexts } from '../data/texts.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { opensMenu } from '../parts/menu.tsx'
import { useMobile } from '../parts/use-mobile.ts'
import { words } from './texts.ts'
import { useSignOut } from './use-sign-out.ts'

export function UserMenu({ user }: { user: SignedIn }) {
  const t = useTexts(words)
  const mobile = useMobile()
  const logout = useSignOut()
  const head = (
    <>
      <strong>{user.display_name || user.username}</strong>
      <span>{fillPhrase(t.group, { group: user.group })}</span>
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
