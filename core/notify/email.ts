// Sends mail with the operator's settings: sender and mail server.
import { fail, GatewayError } from '../errors.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { Settings } from '../settings/index.ts'
import { createMailTokens, type MailTokenPorts } from './mail-oauth.ts'

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
