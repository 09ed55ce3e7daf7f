// Signing in a terminal or another program that has no browser, by a short code.
import type { Feature } from '../feature.ts'
import { seconds } from '../ports/clock.ts'
import { devicesContract } from './contract.ts'
import { toAuditAuthor } from '../audit/audit.ts'
import { getAddressKey, type Caller, type ContractHandlers } from '../auth/caller.ts'
import { requireRecentAuthentication } from '../auth/second-factors.ts'
import type { AccessTokenPorts } from '../users/access-tokens.ts'
import { checkTokenName, findFreeName, makeAccessToken, generateTokenText } from '../users/access-tokens.ts'
import { fail } from '../errors.ts'
import type { ApiLimits } from '../limits/api-rate.ts'
import type { Storage, WriteTransaction } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { USER_STATUS, type User } from '../users/user.ts'
import type { DeviceRequest } from './device.ts'
import {
  ANSWER_TIMEOUT_SECONDS,
  buildUserCode,
  POLL_INTERVAL_SECONDS,
  formatDeviceCode,
  POLL_SLOWDOWN_SECONDS,
  TOKEN_LIFETIME_SECONDS,
  normalizeTypedCode,
} from './device.ts'

interface DevicePorts extends AccessTokenPorts {
  storage: Storage
  settings(): Settings
  limits: ApiLimits
}

const CODE_CHANCE = 32
/** Tolerance for an early poll, since network delays vary. */
const EARLY_MS = 500

/**
 * An access token cannot make another one with more rights or a later end by a program that it starts itself.
 * @throws GatewayError device.session
 */
const requireSession = ({ user, via }: Caller): User => (via === 'session' && user ? user : fail('device.session'))

function createDeviceHandlers(ports: DevicePorts): ContractHandlers<typeof devicesContract> {
  const { storage, secrets, random, clock, limits, settings } = ports

  /** The waiting request of a code. Wrong ones are counted, and slowed down. @throws GatewayError device.missing, limit.requests */
  async function waiting(user: User, typed: string): Promise<DeviceRequest & { user_code: string }> {
    const guesser = `device ${user.id}`
    await limits.throttle('login', guesser)
    const user_code = normalizeTypedCode(typed)
    const found = await storage.devices.find({ user_code }, seconds(clock))
    if (found?.state !== 'waiting') fail('device.missing', { minutes: ANSWER_TIMEOUT_SECONDS / 60 })
    await limits.giveBack('login', guesser)
    return { ...found, user_code: formatDeviceCode(user_code) }
  }

  /** Inserts the row of the token now, so that revoking tokens includes it; its text is created when it is fetched. */
  async function allow(within: WriteTransaction, { id, name, scope, expired_time }: DeviceRequest, user: User) {
    await within.users.lock(user.id)
    const own = await within.accessTokens.listOfUser(user.id)
    const form = { name: findFreeName(name, own), scope, expired_time }
    const token = await makeAccessToken(ports, within, { user }, form)
    await within.devices.give(id, token.id)
    return token
  }

  /**
   * Fetches the token. Of two concurrent requests only one gets it. @throws GatewayError device.access_denied,
   * device.expired_token
   */
  const fetchToken = ({ id, token_id }: DeviceRequest) =>
    storage.transaction(async (within) => {
      if (token_id === null || !(await within.devices.take(id))) fail('device.expired_token')
      const token = generateTokenText(random)
      const found = await within.accessTokens.renew(token_id, secrets.hash(token))
      const user = found && (await within.users.find(found.user_id))
      if (!found || user?.status !== USER_STATUS.enabled || user.DeletedAt !== null) fail('device.access_denied')
      return { ...found, token, username: user.username }
    })

  return {
    async begin({ name, scope, expired_time }, { caller }) {
      checkTokenName(name)
      const now = seconds(clock)
      const end = expired_time ?? now + TOKEN_LIFETIME_SECONDS.usual
      if (end <= now || end > now + TOKEN_LIFETIME_SECONDS.most)
        fail('device.expiry', { days: TOKEN_LIFETIME_SECONDS.most / 86_400 })
      const device_code = generateTokenText(random)
      const user_code = buildUserCode(secrets, random.text(CODE_CHANCE))
      await storage.devices.insert({
        device_hash: secrets.hash(device_code),
        user_code,
        name,
        scope,
        ip: caller.ip,
        created_time: now,
        expires_time: now + ANSWER_TIMEOUT_SECONDS,
        expired_time: end,
        interval: POLL_INTERVAL_SECONDS,
      })
      return {
        device_code,
        user_code: formatDeviceCode(user_code),
        expires_in: ANSWER_TIMEOUT_SECONDS,
        interval: POLL_INTERVAL_SECONDS,
      }
    },

    async token({ device_code }) {
      const found = await storage.devices.find({ device_hash: secrets.hash(device_code) }, seconds(clock))
      if (!found) fail('device.expired_token')
      const now = clock.now()
      const early = now - found.polled_ms < found.interval * 1000 - EARLY_MS
      const interval = found.interval + (early ? POLL_SLOWDOWN_SECONDS : 0)
      await storage.devices.recordPoll(found.id, { polled_ms: now, interval })
      if (early) fail('device.slow_down', { seconds: interval })
      if (found.state === 'denied') fail('device.access_denied')
      if (found.state === 'waiting') fail('device.authorization_pending')
      return fetchToken(found)
    },

    async request({ user_code }, { caller }) {
      const found = await waiting(requireSession(caller), user_code)
      return { ...found, near: getAddressKey(found.ip) === getAddressKey(caller.ip) }
    },

    async answer({ user_code, allow: isAllowed }, context) {
      const { caller } = context
      const user = requireSession(caller)
      if (isAllowed) requireRecentAuthentication(context, settings().StepUpMinutes, seconds(clock))
      const found = await waiting(user, user_code)
      await storage.transaction(async (within) => {
        if (!(await within.devices.answer(found.id, isAllowed ? 'allowed' : 'denied')))
          fail('device.missing', { minutes: ANSWER_TIMEOUT_SECONDS / 60 })
        const made = isAllowed ? await allow(within, found, user) : null
        const { scope, expired_time, ip } = found
        const row = { action: isAllowed ? 'device.allow' : 'device.deny', target: made?.name ?? found.name }
        const after = JSON.stringify({ scope, expired_time, ip })
        await within.audit.insert([{ ...toAuditAuthor(caller), created_at: seconds(clock), ...row, before: '', after }])
      })
      return null
    },
  }
}

const QUARTER_MS = 900_000

export const devicesFeature: Feature<DevicePorts, typeof devicesContract> = {
  contract: devicesContract,
  handlers: createDeviceHandlers,
  jobs: ({ storage, clock }) => [
    {
      name: 'forget sign-ins by code that are over',
      every_ms: QUARTER_MS,
      run: () => storage.transaction((within) => within.devices.deleteExpired(seconds(clock))),
    },
  ],
}
