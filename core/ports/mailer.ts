/** Where mails are handed in, as the operator set it. */
export interface MailServer {
  host: string
  port: number
  /** Empty: no sign-in. */
  account: string
  password: string
  /** TLS from the first byte; otherwise STARTTLS where the server offers it. */
  tls: boolean
  /** Accept certificates that nobody vouches for. */
  any_certificate: boolean
}

export interface Mail {
  from: { name: string; address: string }
  to: string[]
  subject: string
  html: string
  text: string
}

export interface Mailer {
  /** @throws GatewayError mail.* naming what is wrong: the recipient, the sender, the account, TLS, the way there */
  send(mail: Mail, server: MailServer): Promise<void>
}
