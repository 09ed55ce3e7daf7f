// What stands in a card beside its settings: above them, below one of them, or at its end.
import { lazy, type ReactNode } from 'react'
import { CallbackNote } from './callback-note.tsx'
import { LogCleanUp } from './log-clean-up.tsx'
import { MailTest } from './mail-test.tsx'
import { ReadEndpoints } from './read-endpoints.tsx'

// The longer ones stand on tabs that few come to.
const PaymentTest = lazy(() => import('./payment-test.tsx').then((made) => ({ default: made.PaymentTest })))
const SignInServices = lazy(() => import('./sign-in-services.tsx').then((made) => ({ default: made.SignInServices })))
const SystemInfo = lazy(() => import('./system-info.tsx').then((made) => ({ default: made.SystemInfo })))

interface Extra {
  first?: ReactNode
  below?: Readonly<Record<string, ReactNode>>
  last?: ReactNode
}

export const EXTRAS: Readonly<Record<string, Extra>> = {
  'operation.logs': { last: <LogCleanUp /> },
  'system.epay': { last: <PaymentTest service="epay" /> },
  'system.stripe': { last: <PaymentTest service="stripe" /> },
  'system.smtp': { last: <MailTest /> },
  'system.oidc': {
    first: <CallbackNote service="oidc" />,
    below: { 'oidc.well_known': <ReadEndpoints /> },
    last: <SignInServices />,
  },
  'system.github': { first: <CallbackNote service="github" /> },
  'system.linuxdo': { first: <CallbackNote service="linuxdo" /> },
  'other.version': { first: <SystemInfo /> },
}
