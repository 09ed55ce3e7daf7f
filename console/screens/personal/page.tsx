// Personal settings: the sections of the user's account, each with its own address.
import { IconDownload } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { Link } from 'react-router'
import { apiClient } from '../../data/client.ts'
import { downloadEndpointFile } from '../../data/download.ts'
import { usePaletteAct } from '../../data/use-palette-act.ts'
import { useAction, useEndpointWithFirstError } from '../../data/use-endpoint.ts'
import { useText, texts } from '../../data/texts.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { useAnchor } from '../../parts/use-anchor.ts'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'
import { AccessTokens } from './access-tokens.tsx'
import { AccountBindings } from './bindings.tsx'
import { BodyRecordingSection } from './bodies.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { PersonalSection } from './layout.tsx'
import { NotificationSections } from './notifications.tsx'
import { PasskeySection } from './passkeys.tsx'
import './personal.css'
import { InvitationSection, UserProfile } from './profile.tsx'
import { SessionSection } from './sessions.tsx'
import { AuthenticatorSection, PasswordSection } from './sign-in.tsx'

const TAB_TEXTS = texts({
  password: 'Password',
  invitation: 'Invitation',
  passkeys: 'Passkeys',
  bindings: 'Sign-in accounts',
  accessTokens: 'Access tokens',
  sessions: 'Sessions',
  bodies: 'Bodies of calls',
  authenticator: 'Authenticator app',
  profile: 'Profile',
  notifications: 'Notifications and prices',
  ownData: 'Your data',
  deletion: 'Delete account',
})

// Downloads all data that is stored about the user.

export function OwnData() {
  const t = useText()
  const [save, busy] = useAction(() => downloadEndpointFile('privacy', 'exportSelf', {}, 'weir-data.json'))
  return (
    <PersonalSection
      id="data"
      title={t('Your data')}
      lead={t(
        'All your stored data as one JSON file: account, tokens, sessions, ledger, orders, tasks and log. Passwords and keys are not included.',
      )}
      actions={
        <Button icon={<IconDownload aria-hidden />} loading={busy} onClick={() => void save()}>
          {t('Download my data')}
        </Button>
      }
    >
      {null}
    </PersonalSection>
  )
}

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
  const t = useText()
  const self = useEndpointWithFirstError(['users.self'], () => apiClient.users.self())
  const [request, setRequest] = useState<PanelRequest>(null)
  usePaletteAct('password', () => setRequest('password'))
  usePaletteAct('access token', () => setRequest('access token'))
  useAnchor(self.data !== undefined)
  const user = self.data
  if (!user)
    return self.error ? (
      <EmptyState page failed title={t('This could not be loaded')} description={self.error}>
        <Button onClick={self.reload}>{t('Retry')}</Button>
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
      <PageHead title={t('Personal settings')} />
      <div className="personal">
        <nav className="personal-nav" aria-label={t('Sections')}>
          {SECTIONS.map(([id, name]) => (
            <Link key={id} to={{ hash: id }} replace>
              {t(TAB_TEXTS[name])}
            </Link>
          ))}
        </nav>
        <div className="personal-parts">
          <UserProfile {...part} />
          <InvitationSection {...part} />
          <AccountBindings {...part} />
          <PasswordSection user={user} {...controlPanel('password')} />
          <PasskeySection />
          <AuthenticatorSection />
          <SessionSection />
          <AccessTokens {...controlPanel('access token')} />
          <BodyRecordingSection />
          <NotificationSections {...part} />
          <OwnData />
          <DeleteAccount user={user} />
        </div>
      </div>
    </>
  )
}
