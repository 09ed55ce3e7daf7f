// Signing in and out.
import { fail } from '../errors.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { USER_STATUS } from '../users/user.ts'
import type { auth } from './contract.ts'
import type { Handlers } from './handler.ts'

interface Ports {
  storage: Storage
  secrets: Secrets
  settings(): Settings
}

export function createAuthHandlers({ storage, secrets, settings }: Ports): Handlers<typeof auth> {
  return {
    async login({ username, password }, { session }) {
      if (!settings().PasswordLoginEnabled) fail('login.closed')
      if (username.trim() === '' || password === '') fail('login.missing')
      const found = await storage.users.findByLogin(username.trim())
      // An unknown name takes as long as a wrong password, and is answered alike.
      const right = await secrets.verifyPassword(password, found?.password_hash ?? '')
      if (!found || !right || found.user.status !== USER_STATUS.enabled) fail('login.failed')
      await session.start(found.user)
      return found.user
    },
    async logout(_, { session }) {
      await session.end()
      return null
    },
  }
}
