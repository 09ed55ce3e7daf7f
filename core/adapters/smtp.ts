// Mail over SMTP.
import { createTransport } from 'nodemailer'
import { GatewayError } from '../errors.ts'
import type { Mailer } from '../ports/mailer.ts'

const TIMEOUT_MS = 15_000

/** A connection per mail: they are few, and the server's settings may have changed since the last one. */
export function createMailer(): Mailer {
  return {
    async send(mail, { host, port, account, password, tls, any_certificate }) {
      const transport = createTransport({
        host,
        port,
        secure: tls,
        ...(account === '' ? {} : { auth: { user: account, pass: password } }),
        tls: { rejectUnauthorized: !any_certificate },
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        // A mail is text of ours: it neither reads files nor fetches addresses.
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      try {
        await transport.sendMail(mail)
      } catch (error) {
        throw new GatewayError('mail.failed', {}, { cause: error, detail: String(error) })
      } finally {
        transport.close()
      }
    },
  }
}
