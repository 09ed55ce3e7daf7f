// Settings of the mail server that verification codes, resets and warnings are sent through.
import { words } from '../errors.ts'
import { z } from 'zod'
import { address, choice, count, flag, failWithCode, setting, text } from './setting.ts'

const OAUTH = { SMTPAuth: 'oauth2' }

export const mailSettings = {
  // The mail server can read every message, reset links included.
  SMTPServer: setting({
    value: text(),
    label: words('Mail server'),
    help: words('Host name; empty for no mail'),
    card: 'system.smtp',
    order: 10,
    test: 'settings.testMail',
    writer: 'root',
  }),
  SMTPPort: setting({
    value: count(587, { min: 1, max: 65_535 }),
    label: words('Mail port'),
    help: words('465 is TLS from the start; others begin plain and switch to TLS where offered'),
    card: 'system.smtp',
    order: 20,
    writer: 'root',
  }),
  SMTPAccount: setting({
    value: text(),
    label: words('Mail account'),
    help: words('User name at the mail server'),
    card: 'system.smtp',
    order: 30,
    writer: 'root',
  }),
  SMTPFrom: setting({
    value: {
      ...text(),
      schema: z
        .string()
        .trim()
        .refine((from) => from === '' || /^[^\s@<>]+@[^\s@<>]+$/.test(from), failWithCode('setting.mail_address')),
    },
    label: words('Sender'),
    help: words('E-mail address; empty for the account'),
    card: 'system.smtp',
    order: 40,
    writer: 'root',
  }),
  SMTPToken: setting({
    value: text(),
    label: words('Mail password'),
    help: words('Password or access code of the account'),
    card: 'system.smtp',
    order: 50,
    writer: 'root',
    secret: true,
    sentTo: ['SMTPServer'],
  }),
  SMTPAuth: setting({
    value: choice(['password', 'oauth2'], 'password', [words('Password'), words('OAuth 2.0')]),
    label: words('Mail sign-in'),
    help: words('OAuth 2.0 (XOAUTH2) for services without passwords, such as Gmail and Microsoft 365'),
    card: 'system.smtp',
    order: 80,
    writer: 'root',
  }),
  SMTPOAuthTokenURL: setting({
    value: address(),
    label: words('Token address'),
    help: words('https://oauth2.googleapis.com/token, or https://login.microsoftonline.com/TENANT/oauth2/v2.0/token'),
    card: 'system.smtp',
    order: 90,
    shownWhen: OAUTH,
    writer: 'root',
  }),
  SMTPOAuthClientId: setting({
    value: text(),
    label: words('Client id'),
    help: words('Of the application that may send mail'),
    card: 'system.smtp',
    order: 100,
    shownWhen: OAUTH,
    writer: 'root',
  }),
  SMTPOAuthClientSecret: setting({
    value: text(),
    label: words('Client secret'),
    help: words('Empty for an application without one'),
    card: 'system.smtp',
    order: 110,
    shownWhen: OAUTH,
    writer: 'root',
    secret: true,
    sentTo: ['SMTPOAuthTokenURL'],
  }),
  SMTPOAuthRefreshToken: setting({
    value: text(),
    label: words('Refresh token'),
    help: words('Gets the access tokens; a new one that the service issues replaces it'),
    card: 'system.smtp',
    order: 120,
    shownWhen: OAUTH,
    writer: 'root',
    secret: true,
    // The mail server receives the access tokens.
    sentTo: ['SMTPOAuthTokenURL', 'SMTPServer'],
  }),
  SMTPOAuthScope: setting({
    value: text(),
    label: words('Scope'),
    help: words('Empty for Gmail; https://outlook.office.com/SMTP.Send offline_access for Microsoft 365'),
    card: 'system.smtp',
    order: 130,
    shownWhen: OAUTH,
    writer: 'root',
  }),
  SMTPAnyCertificate: setting({
    value: flag(false),
    label: words('Accept any certificate'),
    help: words('For mail servers on a private network without a trusted certificate'),
    card: 'system.smtp',
    order: 70,
    danger: words('Mails, including reset links, could be read in transit.'),
    dangerAt: true,
    writer: 'root',
  }),
  SMTPSSLEnabled: setting({
    value: flag(false),
    label: words('TLS from the start'),
    help: words('On any port'),
    card: 'system.smtp',
    order: 60,
    writer: 'root',
  }),
}
