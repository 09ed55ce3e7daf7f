// Personal data: export for the user, and erasure.
import type { Feature } from '../feature.ts'
import { privacyContract } from './contract.ts'
import { continueAllErasures, forgetUserData, getForgettingState } from './forgetting.ts'
import type { ContractHandlers } from '../auth/caller.ts'
import type { SignInAttempt } from '../auth/sign-in.ts'
import type { FileReply } from '../contract/replies.ts'
import { fail } from '../errors.ts'
import type { CleanUp } from '../logs/clean-up.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { isCallerAbove } from '../users/authority.ts'
import type { User } from '../users/user.ts'
import { exportUserData } from './copy.ts'

interface PrivacyPorts {
  storage: Storage
  ledger: Ledger
  secrets: Secrets
  clock: Clock
  random: Random
  logger: Logger
  attempt: SignInAttempt
  cleanUp: CleanUp
  version: string
  settings(): Settings
}

function createPrivacyHandlers(ports: PrivacyPorts): ContractHandlers<typeof privacyContract> {
  const { storage, clock, logger, version } = ports
  const file = (user: User): FileReply => ({
    content_type: 'application/json; charset=utf-8',
    filename: `weir-data-${user.id}.json`,
    pieces: exportUserData(storage, user, { version, now: clock.now() }),
  })
  return {
    async exportSelf(_, { caller }) {
      const { id } = caller.user ?? fail('access.login_required')
      return file((await storage.users.find(id)) ?? fail('user.missing'))
    },
    async export({ user_id }, { caller }) {
      const user = (await storage.users.find(user_id)) ?? fail('user.missing')
      if (!isCallerAbove(caller, user.role) && user.id !== caller.user?.id) fail('user.view_denied')
      return file(user)
    },
    async forget({ user_id }, context) {
      await forgetUserData(ports, user_id, context)
      continueAllErasures(ports).catch((error: unknown) =>
        logger.error('somebody is not forgotten yet', { user_id, error: String(error) }),
      )
      return getForgettingState(ports, user_id)
    },
    forgetting: ({ user_id }) => getForgettingState(ports, user_id),
  }
}

/** The same interval as for expired rows, because some stores scan all of their rows for it. */
const EVERY_MS = 600_000

export const privacyFeature: Feature<PrivacyPorts, typeof privacyContract> = {
  contract: privacyContract,
  handlers: createPrivacyHandlers,
  jobs: (parts) => [{ name: 'forget users', every_ms: EVERY_MS, run: () => continueAllErasures(parts) }],
}
