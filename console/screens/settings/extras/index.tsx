// Extra content of a card: above its settings, below one of them, or at its end.
import { lazy, type ReactNode } from 'react'
import { signInServiceList } from '../../../../core/settings/sign-in-services.ts'
import { CallbackNote, MailTest, ReadEndpoints } from './checks.tsx'

// Large parts are loaded on demand, because few users open their tabs.
const LogCleanUp = lazy(() => import('./log-clean-up.tsx').then((made) => ({ default: made.LogCleanUp })))
const PaymentTest = lazy(() => import('./payment-test.tsx').then((made) => ({ default: made.PaymentTest })))
const SignInServices = lazy(() => import('./sign-in-services.tsx').then((made) => ({ default: made.SignInServices })))
const SystemInfo = lazy(() => import('./system-info.tsx').then((made) => ({ default: made.SystemInfo })))

interface Extra {
  first?: ReactNode
  below?: Readonly<Record<string, ReactNode>>
  last?: ReactNode
}

/** Addresses to which sign-in services redirect users. */
const callbacks = Object.fromEntries(
  signInServiceList
    .filter(({ way }) => way === 'redirect')
    .map(({ type }): [string, Extra] => [`system.${type}`, { first: <CallbackNote service={type} /> }]),
)

export const CARD_EXTRAS: Readonly<Record<string, Extra>> = {
  ...callbacks,
  'operation.logs': { last: <LogCleanUp /> },
  'system.epay': { last: <PaymentTest service="epay" /> },
  'system.stripe': { last: <PaymentTest service="stripe" /> },
  'system.smtp': { last: <MailTest /> },
  'system.oidc': {
    first: <CallbackNote service="oidc" />,
    below: { 'oidc.well_known': <ReadEndpoints /> },
    last: <SignInServices />,
  },
  'other.version': { first: <SystemInfo /> },
}
