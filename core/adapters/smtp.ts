// Mail over SMTP. The library is loaded with the first mail, so that other gateways do not pay for its size.
import { GatewayError, type ErrorCode } from '../errors.ts'
import type { Mailer } from '../ports/mailer.ts'
import { classifyNetworkFailure } from './start-error.ts'

const TIMEOUT_MS = 15_000

/** One connection per mail: mails are few, and the settings may have changed since the last one. */
export function createMailer(): Mailer {
  return {
    async send(mail, { host, port, account, password, access_token, tls, any_certificate }) {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        host,
        port,
        secure: tls,
        ...(access_token === undefined
          ? account === ''
            ? {}
            : { auth: { user: account, pass: password } }
          : { auth: { type: 'OAuth2', user: account, accessToken: access_token }, requireTLS: true }),
        tls: { rejectUnauthorized: !any_certificate },
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        // Mails contain only generated text: nothing in them reads files or fetches addresses.
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      try {
        await transport.sendMail(mail)
      } catch (error) {
        const code = getMailError(error as SmtpError)
        const network = code === 'mail.unreachable' ? classifyNetworkFailure(error) : undefined
        throw new GatewayError(code, {}, { cause: error, detail: String(error), network })
      } finally {
        transport.close()
      }
    },
  }
}

/** The library's description of a failure: its own code, the failed command, and the system call, if any. */
interface SmtpError {
  code?: string
  command?: string
  syscall?: string
}

function getMailError({ code, command, syscall }: SmtpError): ErrorCode {
  if (code === 'EAUTH') return 'mail.account'
  if (code === 'EENVELOPE') return command === 'RCPT TO' ? 'mail.recipient' : 'mail.sender'
  // A socket that failed outside of a system call failed in its TLS handshake.
  if (code === 'ETLS' || (code === 'ESOCKET' && syscall === undefined)) return 'mail.tls'
  const connectionCodes = ['ESOCKET', 'ECONNECTION', 'ETIMEDOUT', 'EDNS']
  return connectionCodes.includes(code ?? '') ? 'mail.unreachable' : 'mail.failed'
}
