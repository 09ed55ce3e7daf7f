// A real SMTP server that stores received mails.
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { TestGateway } from './gateway.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  /** As sent: headers and all. */
  raw: string
  /** The plain part, decoded. */
  text: string
}

export interface MailServer {
  port: number
  mails: ReceivedMail[]
  close(): Promise<void>
}

interface Manners {
  /** TLS from the first byte, or offered; with a certificate that nobody vouches for. Otherwise none. */
  tls?: 'always' | 'offered'
  /** Addresses that it takes no mail from, or for. */
  refused?: string[]
  /** Access tokens with which the account may sign in by XOAUTH2. */
  tokens?: string[]
}

/** Takes mail from whoever knows the account. */
export async function startMailServer(
  account: { user: string; pass: string },
  { tls, refused = [], tokens = [] }: Manners = {},
): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const known = (address: string) => (refused.includes(address) ? new Error('no such mailbox') : null)
  const server = new SMTPServer({
    secure: tls === 'always',
    disabledCommands: tls ? [] : ['STARTTLS'],
    allowInsecureAuth: true,
    onMailFrom: ({ address }, _session, done) => done(known(address)),
    onRcptTo: ({ address }, _session, done) => done(known(address)),
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    onAuth({ method, username, password, accessToken = '' }, { secure }, done) {
      const isKnown = method === 'XOAUTH2' ? secure && tokens.includes(accessToken) : password === account.pass
      if (username === account.user && isKnown) done(null, { user: username })
      else done(new Error('wrong account'))
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const raw = Buffer.concat(parts).toString('utf8')
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        mails.push({ from, to: rcptTo.map(({ address }) => address), raw, text: plainPart(raw) })
        done()
      })
    },
  })
  // Whoever does not trust the certificate hangs up.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const ACCOUNT = { user: 'weir', pass: 'mail password' }

/** Starts one, and sets what makes mails go to it. */
export async function useMailServer(weir: TestGateway, manners?: Manners): Promise<MailServer> {
  const server = await startMailServer(ACCOUNT, manners)
  await weir.set('SMTPServer', '127.0.0.1')
  await weir.set('SMTPPort', server.port)
  await weir.set('SMTPAccount', ACCOUNT.user)
  await weir.set('SMTPToken', ACCOUNT.pass)
  await weir.set('SMTPFrom', 'weir@example.com')
  return server
}

function plainPart(raw: string): string {
  const [, head = '', body = ''] = /(content-type: text\/plain[\s\S]*?)\r\n\r\n([\s\S]*?)\r\n--/i.exec(raw) ?? []
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(head)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
