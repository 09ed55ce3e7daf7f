// The signed-in user. It is stored in the browser; the server still decides about permissions.
import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react'
import type { SignedIn } from '../../core/auth/signed-in.ts'
import { isAdmin } from '../../core/users/user.ts'
import { preferences, usePreference } from './preferences.ts'
import { queryClient } from './queries.ts'

interface Session {
  user: SignedIn | null
  isAdmin: boolean
  begin(user: SignedIn): void
  end(): void
}

const SessionContext = createContext<Session>({ user: null, isAdmin: false, begin: () => {}, end: () => {} })

/** Provides the signed-in user to the components below it. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const user = usePreference(preferences.user)
  // Data that one user has read must not be visible to the next.
  useEffect(() => () => queryClient.clear(), [user?.id])
  const session = useMemo(
    () => ({
      user,
      isAdmin: user !== null && isAdmin(user),
      begin: preferences.user.write,
      end: preferences.user.remove,
    }),
    [user],
  )
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
}

export const useSession = () => useContext(SessionContext)
