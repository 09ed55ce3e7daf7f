// Settings of the mail server that verification codes, resets and warnings are sent through.
import { z } from 'zod'
import { count, flag, refused, setting, text } from './setting.ts'

const section = 'mail'

export const mailSettings = {
  // Whoever sets the server reads what it is given, reset links included.
  SMTPServer: setting({
    value: text(),
    label: 'Mail server',
    help: 'Host name; empty for no mail',
    section,
    writer: 'root',
  }),
  SMTPPort: setting({
    value: count(587, { min: 1, max: 65_535 }),
    label: 'Mail port',
    help: '465 is TLS from the start; others begin plain and switch to TLS where offered',
    section,
    writer: 'root',
  }),
  SMTPAccount: setting({
    value: text(),
    label: 'Mail account',
    help: 'User name at the mail server',
    section,
    writer: 'root',
  }),
  SMTPFrom: setting({
    value: {
      ...text(),
      schema: z
        .string()
        .trim()
        .refine((from) => from === '' || /^[^\s@<>]+@[^\s@<>]+$/.test(from), refused('setting.mail_address')),
    },
    label: 'Sender',
    help: 'E-mail address; empty for the account',
    section,
    writer: 'root',
  }),
  SMTPToken: setting({
    value: text(),
    label: 'Mail password',
    help: 'Password or access code of the account',
    section,
    writer: 'root',
    secret: true,
    sentTo: ['SMTPServer'],
  }),
  SMTPAnyCertificate: setting({
    value: flag(false),
    label: 'Accept any certificate',
    help: 'For mail servers on a private network that nobody vouches for',
    section,
    writer: 'root',
  }),
  SMTPSSLEnabled: setting({
    value: flag(false),
    label: 'TLS from the start',
    help: 'On any port',
    section,
    writer: 'root',
  }),
}
