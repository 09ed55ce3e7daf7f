// Mail over SMTP. The library is loaded with the first mail: a gateway that sends none has no use for its size.
import { GatewayError, type ErrorCode } from '../errors.ts'
import type { Mailer } from '../ports/mailer.ts'
import { networkFailure } from './network-failure.ts'

const TIMEOUT_MS = 15_000

/** A connection per mail: they are few, and the server's settings may have changed since the last one. */
export function createMailer(): Mailer {
  return {
    async send(mail, { host, port, account, password, tls, any_certificate }) {
      const { createTransport } = await import('nodemailer')
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
        const code = codeOf(error as SmtpError)
        const network = code === 'mail.unreachable' ? networkFailure(error) : undefined
        throw new GatewayError(code, {}, { cause: error, detail: String(error), network })
      } finally {
        transport.close()
      }
    },
  }
}

/** What the library says of a failure: its own code, the command that failed, and the system's call if it was one. */
interface SmtpError {
  code?: string
  command?: string
  syscall?: string
}

function codeOf({ code, command, syscall }: SmtpError): ErrorCode {
  if (code === 'EAUTH') return 'mail.account'
  if (code === 'EENVELOPE') return command === 'RCPT TO' ? 'mail.recipient' : 'mail.sender'
  // A socket that failed without a call of the system did so in its handshake.
  if (code === 'ETLS' || (code === 'ESOCKET' && syscall === undefined)) return 'mail.tls'
  const apart = ['ESOCKET', 'ECONNECTION', 'ETIMEDOUT', 'EDNS']
  return apart.includes(code ?? '') ? 'mail.unreachable' : 'mail.failed'
}
