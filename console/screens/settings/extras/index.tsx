// What stands in a card beside its settings: above them, below one of them, or at its end.
import type { ReactNode } from 'react'
import { CallbackNote } from './callback-note.tsx'
import { LogCleanUp } from './log-clean-up.tsx'
import { MailTest } from './mail-test.tsx'
import { PaymentTest } from './payment-test.tsx'
import { ReadEndpoints } from './read-endpoints.tsx'
import { SignInServices } from './sign-in-services.tsx'
import { SystemInfo } from './system-info.tsx'

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
