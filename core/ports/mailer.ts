/** The mail server, as the operator configured it. */
export interface MailServer {
  host: string
  port: number
  /** Empty if no sign-in is needed. */
  account: string
  password: string
  /** An OAuth 2.0 access token: signs in by XOAUTH2 instead of the password, and only over TLS. */
  access_token?: string
  /** TLS from the first byte; otherwise STARTTLS if the server offers it. */
  tls: boolean
  /** Accept self-signed and otherwise untrusted certificates. */
  any_certificate: boolean
}

export interface OutgoingMail {
  from: { name: string; address: string }
  to: string[]
  subject: string
  html: string
  text: string
}

export interface Mailer {
  /** @throws GatewayError mail.*, which names the cause: the recipient, the sender, the account, TLS, the connection */
  send(mail: OutgoingMail, server: MailServer): Promise<void>
}
