// Sends mail with the operator's settings: sender and mail server.
import { fail } from '../errors.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { Settings } from '../settings/index.ts'

/** A mail; the plain text is derived from the HTML. */
export interface MailMessage {
  to: string
  subject: string
  html: string
  text: string
}

/** @throws GatewayError mail.* */
export type SendMail = (message: MailMessage) => Promise<void>

const TLS_PORT = 465

export function createSendMail({ mailer, settings }: { mailer: Mailer; settings(): Settings }): SendMail {
  return async ({ to, ...message }) => {
    const current = settings()
    const address = current.SMTPFrom || current.SMTPAccount
    if (current.SMTPServer === '' || !address.includes('@')) fail('mail.none')
    await mailer.send(
      { ...message, from: { name: current.SystemName, address }, to: [to] },
      {
        host: current.SMTPServer,
        port: current.SMTPPort,
        account: current.SMTPAccount,
        password: current.SMTPToken,
        tls: current.SMTPSSLEnabled || current.SMTPPort === TLS_PORT,
        any_certificate: current.SMTPAnyCertificate,
      },
    )
  }
}
