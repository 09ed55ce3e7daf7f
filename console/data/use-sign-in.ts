// Signing in by password, wherever it is needed: the human check before it, and the second factor after it if the user
// has one.
import { useState } from 'react'
import type { SignedIn } from '../../core/auth/signed-in.ts'
import { apiClient, RequestFailure, SECOND_STEP_CODE } from './client.ts'
import { useHumanCheck, type HumanCheck } from './use-human-check.ts'

export interface SignIn {
  human: HumanCheck
  /** A second factor is required now. */
  asksCode: boolean
  /** Resolves to null if a second factor is required first, for any way of signing in. */
  orCode<T>(work: Promise<T>): Promise<T | null>
  byPassword(username: string, password: string): Promise<SignedIn | null>
  byCode(code: string): Promise<SignedIn>
  startAgain(): void
}

/** @param initially true if the user has already passed the first factor */
export function useSignIn(initially = false): SignIn {
  const human = useHumanCheck()
  const [asksCode, setAsksCode] = useState(initially)
  const orCode = <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      if (!(error instanceof RequestFailure) || error.code !== SECOND_STEP_CODE) throw error
      setAsksCode(true)
      return null
    })
  return {
    human,
    asksCode,
    orCode,
    byPassword: (username, password) =>
      human.withToken((turnstile) =>
        orCode(apiClient.auth.login({ username, password, ...(turnstile ? { turnstile } : {}) })),
      ),
    byCode: (code) => apiClient.auth.loginCode({ code: code.trim() }),
    startAgain: () => setAsksCode(false),
  }
}
