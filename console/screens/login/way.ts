// The props of every way to sign in through a service.
import type { SignedIn } from '../../../core/auth/signed-in.ts'
import type { SignIn } from '../../data/use-sign-in.ts'

export interface WayProps {
  /** The type in `/api/oauth/{type}`. */
  type: string
  name: string
  /** The page to open afterwards; the default of the flow if undefined. */
  from: string | undefined
  signIn: SignIn
  /** @param home the page for users of this flow who did not request another one */
  enter(user: SignedIn, home?: string): void
}
