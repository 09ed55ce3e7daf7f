// Settings of the mail server that verification codes, resets and warnings are sent through.
import { words } from '../errors.ts'
import { z } from 'zod'
import { address, choice, count, flag, failWith, setting, text } from './setting.ts'

const OAUTH = { SMTPAuth: 'oauth2' }

export const mailSettings = {
  // The mail server can read every message, reset links included.
  SMTPServer: setting({
    value: text(),
    label: words('Mail server', 'SMTP 服务器地址'),
    help: words('Host name; empty for no mail', '主机名；留空则不发送邮件'),
    card: 'system.smtp',
    order: 10,
    test: 'settings.testMail',
    writer: 'root',
  }),
  SMTPPort: setting({
    value: count(587, { min: 1, max: 65_535 }),
    label: words('Mail port', 'SMTP 端口'),
    help: words(
      '465 is TLS from the start; others begin plain and switch to TLS where offered',
      '465 直接使用 TLS；其他端口先用明文，服务器支持时转为 TLS',
    ),
    card: 'system.smtp',
    order: 20,
    writer: 'root',
  }),
  SMTPAccount: setting({
    value: text(),
    label: words('Mail account', 'SMTP 账户'),
    help: words('User name at the mail server', '邮件服务器的用户名'),
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
        .refine((from) => from === '' || /^[^\s@<>]+@[^\s@<>]+$/.test(from), failWith('setting.mail_address')),
    },
    label: words('Sender', 'SMTP 发送者邮箱'),
    help: words('E-mail address; empty for the account', '邮箱地址；留空则使用账户'),
    card: 'system.smtp',
    order: 40,
    writer: 'root',
  }),
  SMTPToken: setting({
    value: text(),
    label: words('Mail password', 'SMTP 访问凭证'),
    help: words('Password or access code of the account', '账户的密码或授权码'),
    card: 'system.smtp',
    order: 50,
    writer: 'root',
    secret: true,
    sentTo: ['SMTPServer'],
  }),
  SMTPAuth: setting({
    value: choice(['password', 'oauth2'], 'password', [words('Password', '密码'), words('OAuth 2.0', 'OAuth 2.0')]),
    label: words('Mail sign-in', 'SMTP 登录方式'),
    help: words(
      'OAuth 2.0 (XOAUTH2) for services without passwords, such as Gmail and Microsoft 365',
      '对不支持密码的服务（如 Gmail、Microsoft 365）使用 OAuth 2.0（XOAUTH2）',
    ),
    card: 'system.smtp',
    order: 80,
    writer: 'root',
  }),
  SMTPOAuthTokenURL: setting({
    value: address(),
    label: words('Token address', '令牌地址'),
    help: words(
      'https://oauth2.googleapis.com/token, or https://login.microsoftonline.com/TENANT/oauth2/v2.0/token',
      'https://oauth2.googleapis.com/token，或 https://login.microsoftonline.com/租户/oauth2/v2.0/token',
    ),
    card: 'system.smtp',
    order: 90,
    shownWhen: OAUTH,
    writer: 'root',
  }),
  SMTPOAuthClientId: setting({
    value: text(),
    label: words('Client id', '客户端 ID'),
    help: words('Of the application that may send mail', '获准发送邮件的应用'),
    card: 'system.smtp',
    order: 100,
    shownWhen: OAUTH,
    writer: 'root',
  }),
  SMTPOAuthClientSecret: setting({
    value: text(),
    label: words('Client secret', '客户端密钥'),
    help: words('Empty for an application without one', '应用没有密钥时留空'),
    card: 'system.smtp',
    order: 110,
    shownWhen: OAUTH,
    writer: 'root',
    secret: true,
    sentTo: ['SMTPOAuthTokenURL'],
  }),
  SMTPOAuthRefreshToken: setting({
    value: text(),
    label: words('Refresh token', '刷新令牌'),
    help: words(
      'Gets the access tokens; a new one that the service issues replaces it',
      '用于取得访问令牌；服务签发新的刷新令牌时自动替换',
    ),
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
    label: words('Scope', '权限范围'),
    help: words(
      'Empty for Gmail; https://outlook.office.com/SMTP.Send offline_access for Microsoft 365',
      'Gmail 留空；Microsoft 365 填写 https://outlook.office.com/SMTP.Send offline_access',
    ),
    card: 'system.smtp',
    order: 130,
    shownWhen: OAUTH,
    writer: 'root',
  }),
  SMTPAnyCertificate: setting({
    value: flag(false),
    label: words('Accept any certificate', '接受任意证书'),
    help: words(
      'For mail servers on a private network without a trusted certificate',
      '用于内网中没有可信证书的邮件服务器',
    ),
    card: 'system.smtp',
    order: 70,
    danger: words('Mails, including reset links, could be read in transit.', '中间人可能读到邮件，包括重置链接'),
    dangerAt: true,
    writer: 'root',
  }),
  SMTPSSLEnabled: setting({
    value: flag(false),
    label: words('TLS from the start', '启用 SMTP SSL'),
    help: words('On any port', '任意端口都直接使用 TLS'),
    card: 'system.smtp',
    order: 60,
    writer: 'root',
  }),
}
