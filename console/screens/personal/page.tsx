// Personal settings: the sections of the user's account, each with its own address.
import { useState } from 'react'
import { Link } from 'react-router'
import { client } from '../../data/client.ts'
import { useTexts } from '../../data/texts.tsx'
import { usePaletteAct } from '../../data/use-asked.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { EmptyState } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { Button } from '../../semi.ts'
import { AccessTokens } from './access-tokens.tsx'
import { Authenticator } from './authenticator.tsx'
import { Bindings } from './bindings.tsx'
import { Bodies } from './bodies.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { Invitation } from './invitation.tsx'
import { Notifications } from './notifications.tsx'
import { Passkeys } from './passkeys.tsx'
import { OwnData } from './own-data.tsx'
import { PasswordSection } from './password.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'
import { words } from './texts.ts'
import { useAnchor } from './use-anchor.ts'
import './personal.css'

const SECTIONS = [
  ['profile', 'profile'],
  ['invitation', 'invitation'],
  ['bindings', 'bindings'],
  ['password', 'password'],
  ['passkeys', 'passkeys'],
  ['authenticator', 'authenticator'],
  ['sessions', 'sessions'],
  ['access-tokens', 'accessTokens'],
  ['bodies', 'bodies'],
  ['notifications', 'notifications'],
  ['data', 'ownData'],
  ['delete', 'deletion'],
] as const

/** Requests of the palette and the login, possibly for a section that is not visible. */
type PanelRequest = 'password' | 'access token' | null

export function Page() {
  const t = useTexts(words)
  const self = useEndpoint(['users.self'], () => client.users.self())
  const [request, setRequest] = useState<PanelRequest>(null)
  usePaletteAct('password', () => setRequest('password'))
  usePaletteAct('access token', () => setRequest('access token'))
  useAnchor(self.data !== undefined)
  const user = self.data
  if (!user)
    return self.error ? (
      <EmptyState page failed title={t.failed} description={self.error}>
        <Button onClick={self.reload}>{t.retry}</Button>
      </EmptyState>
    ) : (
      <LoadingIndicator />
    )
  const part = { user, onChanged: self.reload }
  const controlPanel = (what: PanelRequest) => ({
    open: request === what,
    onOpen: (open: boolean) => setRequest(open ? what : null),
  })
  return (
    <>
      <PageHead title={t.title} />
      <div className="personal">
        <nav className="personal-nav" aria-label={t.sections}>
          {SECTIONS.map(([id, name]) => (
            <Link key={id} to={{ hash: id }} replace>
              {t[name]}
            </Link>
          ))}
        </nav>
        <div className="personal-parts">
          <Profile {...part} />
          <Invitation {...part} />
          <Bindings {...part} />
          <PasswordSection user={user} {...controlPanel('password')} />
          <Passkeys />
          <Authenticator />
          <Sessions />
          <AccessTokens {...controlPanel('access token')} />
          <Bodies />
          <Notifications {...part} />
          <OwnData />
          <DeleteAccount user={user} />
        </div>
      </div>
    </>
  )
}
