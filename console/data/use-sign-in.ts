// Signing in by password, wherever that is asked: the human check before it, and the second factor of who has one behind it.
import { useState } from 'react'
import type { SignedIn } from '../../core/auth/signed-in.ts'
import { client, RequestFailure, SECOND_STEP } from './client.ts'
import { useHumanCheck, type HumanCheck } from './use-human-check.ts'

export interface SignIn {
  human: HumanCheck
  /** The second factor is asked for now. */
  asksCode: boolean
  /** Whichever way it was asked, a second factor may come behind it: null where something is asked first. */
  orCode<T>(work: Promise<T>): Promise<T | null>
  byPassword(username: string, password: string): Promise<SignedIn | null>
  byCode(code: string): Promise<SignedIn>
  startAgain(): void
}

/** @param initially who came here has shown the first factor already */
export function useSignIn(initially = false): SignIn {
  const human = useHumanCheck()
  const [asksCode, setAsksCode] = useState(initially)
  const orCode = <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      if (!(error instanceof RequestFailure) || error.code !== SECOND_STEP) throw error
      setAsksCode(true)
      return null
    })
  return {
    human,
    asksCode,
    orCode,
    byPassword: (username, password) =>
      human.withToken((turnstile) =>
        orCode(client.auth.login({ username, password, ...(turnstile ? { turnstile } : {}) })),
      ),
    byCode: (code) => client.auth.loginCode({ code: code.trim() }),
    startAgain: () => setAsksCode(false),
  }
}
