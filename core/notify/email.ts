// Sends mail with the operator's settings: sender and mail server.
import { fail, GatewayError } from '../errors.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { Settings } from '../settings/index.ts'
import { z } from 'zod'
import type { Clock } from '../ports/clock.ts'
import { parseJsonBody, type WebClient } from '../ports/web.ts'

/** A mail; the plain text is derived from the HTML. */
export interface MailMessage {
  to: string
  subject: string
  html: string
  text: string
}

/** @throws GatewayError mail.*: also where the account signs in by OAuth 2.0 and gets no token */
export type SendMail = (message: MailMessage) => Promise<void>

const TLS_PORT = 465

interface MailPorts extends MailTokenPorts {
  mailer: Mailer
  settings(): Settings
}

export function createSendMail({ mailer, settings, ...tokenPorts }: MailPorts): SendMail {
  const tokens = createMailTokens(tokenPorts)
  return async ({ to, ...message }) => {
    const current = settings()
    const address = current.SMTPFrom || current.SMTPAccount
    if (current.SMTPServer === '' || !address.includes('@')) fail('mail.none')
    const access = current.SMTPAuth === 'oauth2' ? { access_token: await tokens.get(current) } : {}
    const sending = mailer.send(
      { ...message, from: { name: current.SystemName, address }, to: [to] },
      {
        host: current.SMTPServer,
        port: current.SMTPPort,
        account: current.SMTPAccount,
        password: current.SMTPToken,
        ...access,
        tls: current.SMTPSSLEnabled || current.SMTPPort === TLS_PORT,
        any_certificate: current.SMTPAnyCertificate,
      },
    )
    await sending.catch((error: unknown) => {
      // A token may be revoked before it expires.
      if (error instanceof GatewayError && error.code === 'mail.account') tokens.forget()
      throw error
    })
  }
}

// Access tokens of a mail account that signs in by OAuth 2.0 (XOAUTH2), as Gmail and Microsoft 365 require: a refresh
// token is exchanged for a token of about an hour (RFC 6749, section 6).

type Credentials = Pick<
  Settings,
  'SMTPOAuthTokenURL' | 'SMTPOAuthClientId' | 'SMTPOAuthClientSecret' | 'SMTPOAuthRefreshToken' | 'SMTPOAuthScope'
>

interface MailTokens {
  /** Returns an access token that is valid for a minute at least. @throws GatewayError mail.oauth_unset, mail.oauth */
  get(credentials: Credentials): Promise<string>
  /** Requests a new one with the next mail. */
  forget(): void
}

interface MailTokenPorts {
  web: WebClient
  clock: Clock
  /** Stores a refresh token that replaces the present one: Microsoft issues a new one each time. */
  replaceRefreshToken(token: string): Promise<void>
}

const Reply = z.object({
  access_token: z.string().min(1),
  /** Seconds. */
  expires_in: z.coerce.number().positive().default(300),
  refresh_token: z.string().min(1).optional(),
})
const MARGIN_MS = 60_000
const REASON_LENGTH = 200

function createMailTokens({ web, clock, replaceRefreshToken }: MailTokenPorts): MailTokens {
  let known: { of: string; token: string; ends: number } | undefined

  async function request(credentials: Credentials): Promise<z.output<typeof Reply>> {
    const { SMTPOAuthTokenURL, SMTPOAuthClientId, SMTPOAuthClientSecret, SMTPOAuthRefreshToken } = credentials
    if ([SMTPOAuthTokenURL, SMTPOAuthClientId, SMTPOAuthRefreshToken].includes('')) fail('mail.oauth_unset')
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: SMTPOAuthClientId,
      refresh_token: SMTPOAuthRefreshToken,
      ...(SMTPOAuthClientSecret === '' ? {} : { client_secret: SMTPOAuthClientSecret }),
      ...(credentials.SMTPOAuthScope === '' ? {} : { scope: credentials.SMTPOAuthScope }),
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
    const sent = { method: 'POST', url: SMTPOAuthTokenURL, headers, body: form.toString() } as const
    const reply = await web.send(sent).catch((cause: unknown) => refuse(describeError(cause), cause))
    const body = parseJsonBody(reply)
    const { data } = Reply.safeParse(body)
    if (reply.status === 200 && data) return data
    const { error, error_description } = (body ?? {}) as Record<string, unknown>
    const texts = [error, error_description].filter((text) => typeof text === 'string')
    return refuse(texts.length === 0 ? `HTTP ${reply.status}` : texts.join(': '))
  }

  return {
    async get(credentials) {
      const of = toCacheKey(credentials)
      if (known?.of === of && known.ends > clock.now()) return known.token
      const { access_token, expires_in, refresh_token } = await request(credentials)
      const isReplaced = refresh_token !== undefined && refresh_token !== credentials.SMTPOAuthRefreshToken
      if (isReplaced) await replaceRefreshToken(refresh_token)
      const latest = isReplaced ? { ...credentials, SMTPOAuthRefreshToken: refresh_token } : credentials
      known = { of: toCacheKey(latest), token: access_token, ends: clock.now() + expires_in * 1000 - MARGIN_MS }
      return access_token
    },
    forget: () => void (known = undefined),
  }
}

const toCacheKey = (credentials: Credentials) =>
  JSON.stringify([
    credentials.SMTPOAuthTokenURL,
    credentials.SMTPOAuthClientId,
    credentials.SMTPOAuthClientSecret,
    credentials.SMTPOAuthRefreshToken,
    credentials.SMTPOAuthScope,
  ])

const describeError = (error: unknown) => (error instanceof GatewayError ? error.message : 'no answer')

const refuse = (reason: string, cause?: unknown): never =>
  fail('mail.oauth', { reason: reason.slice(0, REASON_LENGTH) }, cause === undefined ? {} : { cause })
