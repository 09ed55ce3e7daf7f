// Signing in and out, second factors and passkeys; expired sessions and secrets are deleted by a job.
import type { Feature } from '../feature.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import { authContract } from './contract.ts'
import { KNOWN_SECONDS } from './stores.ts'
import { fail } from '../errors.ts'
import type { ApiLimits } from '../limits/api-rate.ts'
import { createCodeGuess, type CountMail } from '../limits/mails.ts'
import type { SendMail } from '../notify/email.ts'
import { resetMail, buildAddressTakenMail, buildVerificationMail } from '../notify/message.ts'
import type { IdentityServices } from '../ports/identity.ts'
import type { HostMachine } from '../ports/machine.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { WebClient } from '../ports/web.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { USER_STATUS, type User } from '../users/user.ts'
import { type Caller, type HandlerContext, type ContractHandlers, requireUser } from './caller.ts'
import { requireRecentAuthentication } from './second-factors.ts'
import { checkPassword, signIn, type SignInAttempt } from './sign-in.ts'
import { checkEmail } from './email-address.ts'
import { CODE_LIFETIME_MINUTES, createMailCodes } from './mail-codes.ts'
import { identifyTelegramUser, type TelegramFields } from './methods/telegram.ts'
import { identifyWechatUser } from './methods/wechat.ts'
import type { ServiceSignInResult } from './service-sign-in.ts'
import {
  startServiceSignIn,
  beginSignInState,
  handleServiceCallback,
  completeServiceSignIn,
} from './service-sign-in.ts'
import { createProofHandlers, listOfferedServices } from './second-factor-handlers.ts'
import { registerWithPassword } from './registration.ts'
import { resetLink, setNewPassword, RESET_LIFETIME_MINUTES } from './reset.ts'
import { createHumanCheck, createVerifications, type PendingVerifications } from './verification.ts'

interface AuthPorts {
  storage: Storage
  ledger: Ledger
  secrets: Secrets
  identity: IdentityServices
  clock: Clock
  random: Random
  logger: Logger
  machine: HostMachine
  web: WebClient
  limits: ApiLimits
  attempt: SignInAttempt
  countMail: CountMail
  sendMail: SendMail
  settings(): Settings
}

/** Builds the reply that the specification's pages expect. */
const reply = (entered: ServiceSignInResult) => ({ data: entered, message: entered === null ? 'bind' : '' })

function createAuthHandlers(given: AuthPorts): ContractHandlers<typeof authContract> {
  const verifications: PendingVerifications = createVerifications(given)
  const ports = { ...given, verifications }
  const { storage, secrets, settings, sendMail, web, clock, logger, countMail } = ports
  const mailCodes = createMailCodes({ ...ports, guessCode: createCodeGuess(ports) })
  const humanCheck = createHumanCheck(ports)

  const mailed = ({ language }: Caller) => ({ language, system: settings().SystemName })
  const telegram = (fields: TelegramFields) =>
    identifyTelegramUser(fields, { secrets, settings: settings(), counter: storage.counter, now: seconds(clock) })
  const way = (provider: string, label: string, aff = '') => ({ provider, label, aff })

  /** Requires reauthentication of a signed-in user, since the sign-in binds an identity. */
  const provenToBind = (context: HandlerContext) => {
    if (context.caller.user) requireRecentAuthentication(context, settings().StepUpMinutes, seconds(clock))
  }

  async function login(username: string, password: string, context: HandlerContext): Promise<User> {
    const found = await storage.users.findByLogin(username)
    const enabled = found?.user.status === USER_STATUS.enabled
    // Counted by name, existing or not: unknown names and banned accounts get the same reply as a wrong password.
    const target = { kind: 'login', of: username.toLowerCase(), user_id: found?.user.id ?? 0 } as const
    const hash = (enabled && found?.password_hash) || ''
    await checkPassword(ports, { target, password, hash }, context, () => fail('login.failed'))
    if (found && secrets.isFormerHash(hash))
      await storage.users.renewHash(found.user.id, hash, await secrets.hashPassword(password))
    return signIn(ports, (found ?? fail('login.failed')).user, context)
  }

  return {
    async login({ username, password, turnstile }, context) {
      if (!settings().PasswordLoginEnabled) fail('login.closed')
      if (username.trim() === '' || password === '') fail('login.missing')
      await humanCheck(turnstile, context)
      return login(username.trim(), password, context)
    },
    async logout(_, { session }) {
      await session.end()
      return null
    },
    async register({ turnstile, ...form }, context) {
      await humanCheck(turnstile, context)
      return registerWithPassword({ ...ports, mailCodes }, form, context)
    },
    async verification({ email, turnstile }, context) {
      await humanCheck(turnstile, context)
      const to = email.trim()
      checkEmail(to, settings())
      await countMail(to, context)
      const isTaken = await storage.users.emailTaken(to)
      const code = await mailCodes.make(to, context)
      // Only the reader of the address learns whether it has an account: reply and work are the same in both cases.
      const about = { ...mailed(context.caller), to }
      await sendMail(
        isTaken
          ? buildAddressTakenMail(about)
          : buildVerificationMail({ ...about, code, minutes: CODE_LIFETIME_MINUTES }),
      )
      return null
    },
    async resetRequest({ email, turnstile }, context) {
      await humanCheck(turnstile, context, 'human.missing_reset')
      const to = email.trim()
      if (!/^[^\s@]+@[^\s@]+$/.test(to)) fail('email.invalid')
      if (settings().SMTPServer === '') fail('mail.none')
      await countMail(to, context)
      // The reply comes before the lookup: neither text nor time reveals whether the address has an account.
      void resetLink(ports, to)
        .then(async (found) => {
          const about = { ...mailed(context.caller), minutes: RESET_LIFETIME_MINUTES }
          if (found) await sendMail(resetMail({ ...about, ...found }))
        })
        .catch((error: unknown) => logger.error('a reset mail was not sent', { error: String(error) }))
      return null
    },
    reset: (form) => setNewPassword(ports, form),
    oauthState: ({ aff }, context) => beginSignInState(ports, aff, context),
    oauthStart: async ({ type, aff }, context) => ({ url: await startServiceSignIn(ports, { type, aff }, context) }),
    oauth: async (query, context) => reply(await handleServiceCallback(ports, query, context)),
    async wechat({ code, aff }, context) {
      provenToBind(context)
      const person = await identifyWechatUser(web, settings(), code)
      return reply(await completeServiceSignIn(ports, way('wechat', 'WeChat', aff), person, context))
    },
    async wechatBind({ code }, context) {
      requireUser(context.caller)
      return reply(
        await completeServiceSignIn(
          ports,
          way('wechat', 'WeChat'),
          await identifyWechatUser(web, settings(), code),
          context,
        ),
      )
    },
    async telegram(fields, context) {
      provenToBind(context)
      return reply(
        await completeServiceSignIn(
          ports,
          { ...way('telegram', 'Telegram'), closed: true },
          await telegram(fields),
          context,
        ),
      )
    },
    async telegramBind(fields, context) {
      requireUser(context.caller)
      return reply(await completeServiceSignIn(ports, way('telegram', 'Telegram'), await telegram(fields), context))
    },
    async emailBind({ email, code }, context) {
      const { id } = requireUser(context.caller)
      const own = email.trim()
      checkEmail(own, settings())
      await mailCodes.check(own, code, context)
      if (await storage.users.emailTaken(own)) fail('email.taken')
      await storage.users.update(id, { email: own })
      await mailCodes.use(own, context)
      await storage.announce({ topic: 'users', id })
      return null
    },
    async bindings(_, { caller }) {
      const { id } = requireUser(caller)
      const services = await storage.identities.listOfUser(id)
      const offered = await listOfferedServices(storage)
      return { has_password: (await storage.users.passwordHash(id)) !== '', services, offered }
    },
    async unbind({ provider }, { caller }) {
      const { id } = requireUser(caller)
      const bound = await storage.identities.listOfUser(id)
      const others = bound.filter((identity) => identity.provider !== provider).length
      const ways = others + (await storage.passkeys.listOfUser(id)).length
      if (ways === 0 && (await storage.users.passwordHash(id)) === '') fail('oauth.last')
      if (!(await storage.identities.unbind(id, provider))) fail('oauth.unbound', { provider })
      return null
    },
    ...createProofHandlers(ports),
  }
}

// Deletes expired sessions, browsers and single-use secrets.

const HOUR_MS = 3_600_000

const createAuthJobs = ({ storage, clock }: { storage: Storage; clock: Clock }) => [
  { name: 'forget expired sessions', every_ms: HOUR_MS, run: () => storage.sessions.deleteExpired(seconds(clock)) },
  {
    name: 'forget browsers that are not seen any more',
    every_ms: HOUR_MS,
    run: () => storage.browsers.deleteOld(seconds(clock) - KNOWN_SECONDS),
  },
  {
    name: 'forget expired verifications',
    every_ms: HOUR_MS,
    run: () => storage.verifications.deleteExpired(seconds(clock)),
  },
]

export const authFeature: Feature<AuthPorts, typeof authContract> = {
  contract: authContract,
  handlers: createAuthHandlers,
  jobs: createAuthJobs,
}
