// Creates an account: with a password, and a code sent by email if required; or with another service.
import { useEffect } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import type { SignedIn } from '../../../core/auth/signed-in.ts'
import { takeRememberedPage } from '../../data/base.ts'
import { showNotice } from '../../data/notify.ts'
import { storedPreferences, usePreference } from '../../data/preferences.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useServerStatus } from '../../data/status.ts'
import { useFormat } from '../../data/use-format.ts'
import { useSignIn } from '../../data/use-sign-in.ts'
import { useText } from '../../data/texts.tsx'
import { HumanCheck } from '../../parts/form/human-check.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { SecondFactorForm } from '../login/code-form.tsx'
import { SignInCard } from '../login/entry.tsx'
import { OtherWays, useServices } from '../login/other-ways.tsx'
import { PasswordForm } from './password-form.tsx'

export function Page() {
  const t = useText()
  const status = useServerStatus()
  const session = useSignedInUser()
  const navigate = useNavigate()
  const from = (useLocation().state as { from?: string } | null)?.from
  const signIn = useSignIn()
  const services = useServices()
  useInvitation()
  const enter = (user: SignedIn, home = '/token') => {
    storedPreferences.inviter.remove()
    session.begin(user)
    void navigate(from ?? takeRememberedPage() ?? home, { replace: true })
  }
  const closed = status.self_use_mode_enabled
    ? t('This server is for its owner only: sign-up is closed.')
    : status.register_enabled
      ? null
      : t('Registration is switched off on this server. Ask its administrator for an account.')

  return (
    <SignInCard
      title={t('Sign up', { context: 'title' })}
      footer={closed === null && <HumanCheck check={signIn.human} />}
    >
      {signIn.asksCode ? (
        <SecondFactorForm signIn={signIn} onEnter={enter} />
      ) : closed !== null ? (
        <InlineNote>{closed}</InlineNote>
      ) : (
        <>
          <Invited />
          {status.password_register ? (
            <PasswordForm
              human={signIn.human}
              onMade={(user) => {
                showNotice.success(t('registration success'))
                if (user) enter(user)
                else void navigate('/login', { replace: true, state: { from } })
              }}
            />
          ) : (
            <InlineNote>
              {services.length > 0
                ? t('Sign up with one of these services.')
                : t('Registration with a password is switched off, and no other service is switched on.')}
            </InlineNote>
          )}
          <OtherWays from={from} signIn={signIn} enter={enter} isNew />
        </>
      )}
      <p className="login-links">
        <span>
          {t('Have an account?')}{' '}
          <Link to="/login" state={{ from }}>
            {t('Sign in', { context: 'link' })}
          </Link>
        </span>
      </p>
    </SignInCard>
  )
}

/** Stores `?aff=` of an invitation, so that it is sent with any way of creating the account. */
function useInvitation() {
  const [query] = useSearchParams()
  const code = query.get('aff')
  useEffect(() => {
    if (code) storedPreferences.inviter.write(code)
  }, [code])
}

function Invited() {
  const t = useText()
  const format = useFormat()
  const { quota_for_invitee } = useServerStatus()
  const inviter = usePreference(storedPreferences.inviter)
  if (inviter === '') return null
  return (
    <InlineNote>
      {quota_for_invitee > 0
        ? t('You were invited: {amount} are added to your balance once you have signed up.', {
            amount: format.quota(quota_for_invitee),
          })
        : t('You were invited.')}
    </InlineNote>
  )
}
