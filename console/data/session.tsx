// The signed-in user. It is stored in the browser; the server still decides about permissions.
import { QueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import type { SignedIn } from '../../core/auth/signed-in.ts'
import { isAdmin } from '../../core/users/user.ts'
import { storedPreferences, usePreference } from './preferences.ts'

// A cache of data read from the server.

/** Time for which data is shown again without a new request, in ms. */
const FRESH = 15_000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: FRESH, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
  },
})

interface SignedInSession {
  user: SignedIn | null
  isAdmin: boolean
  begin(user: SignedIn): void
  end(): void
}

const SessionContext = createContext<SignedInSession>({ user: null, isAdmin: false, begin: () => {}, end: () => {} })

/** Provides the signed-in user to the components below it. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const user = usePreference(storedPreferences.user)
  // Data that one user has read must not be visible to the next.
  useEffect(() => () => queryClient.clear(), [user?.id])
  const session = useMemo(
    () => ({
      user,
      isAdmin: user !== null && isAdmin(user),
      begin: storedPreferences.user.write,
      end: storedPreferences.user.remove,
    }),
    [user],
  )
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
}

export const useSignedInUser = () => useContext(SessionContext)
