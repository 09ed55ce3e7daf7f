// The user endpoints.
import type { Handlers } from '../auth/handler.ts'
import type { ChannelIndex } from '../channels/channel-index.ts'
import { asPage, sliceFromOne } from '../contract/page.ts'
import { fail } from '../errors.ts'
import { usableGroups } from '../groups/group.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { users } from './contract.ts'
import { createUser } from './create-user.ts'
import { ROLE } from './user.ts'

interface Ports {
  storage: Storage
  ledger: Ledger
  secrets: Secrets
  clock: Clock
  random: Random
  index: ChannelIndex
  settings(): Settings
}

const ACCESS_TOKEN_LENGTH = 40

export function createUserHandlers(ports: Ports): Handlers<typeof users> {
  const { storage, secrets, random, index, settings } = ports
  return {
    list: async (query) => asPage(query, await storage.users.list(sliceFromOne(query))),
    search: async ({ keyword, group, ...query }) =>
      asPage(query, await storage.users.search({ keyword, group }, sliceFromOne(query))),
    // Read anew: a session knows its user as of the start of the request, this call shows the balance as of now.
    self: async (_, { caller }) => (await storage.users.find(caller.user?.id ?? 0)) ?? fail('access.login_required'),
    get: async ({ id }) => (await storage.users.find(id)) ?? fail('user.missing'),
    async create({ username, password, display_name }) {
      const account = { username, password, display_name, role: ROLE.user, quota: settings().QuotaForNewUser }
      await createUser(ports, { ...account, kind: 'gift' })
      return null
    },
    models: async (_, { caller }) => index.models(Object.keys(usableGroups(caller.user?.group ?? '', settings()))),
    async accessToken(_, { caller }) {
      const user = caller.user ?? fail('access.login_required')
      const token = random.text(ACCESS_TOKEN_LENGTH)
      await storage.users.update(user.id, { access_token_hash: secrets.hash(token) })
      await storage.announce({ topic: 'users', id: user.id })
      return token
    },
  }
}
