// What every way to sign in through a service is given.
import type { SignedIn } from '../../../core/auth/signed-in.ts'
import type { SignIn } from '../../data/use-sign-in.ts'

export interface WayProps {
  /** As in `/api/oauth/{type}`. */
  type: string
  name: string
  /** Where to go then; the way's own place without one. */
  from: string | undefined
  signIn: SignIn
  /** @param home where people of this way go who wanted to go nowhere */
  enter(user: SignedIn, home?: string): void
}
