// Settings of the ways to sign in beside the password, and of the human check. What vouches for people, the super
// administrator alone decides: whoever answers there can be anybody.
import { address, flag, link, needs, setting, text } from './setting.ts'

const section = 'login'

const secret = (label: string, help: string, sentTo: string[] = []) =>
  setting({ value: text(), label, help, section, writer: 'root', secret: true, sentTo })
const id = (label: string, help: string) => setting({ value: text(), label, help, section, writer: 'root' })
const method = (provider: string, keys: string[]) =>
  setting<boolean>({
    value: flag(false),
    label: `Sign in with ${provider}`,
    help: `Needs ${keys.join(', ')}`,
    section,
    writer: 'root',
    conflict: needs(keys, 'setting.needs_provider', { provider }),
  })

export const loginMethods = {
  GitHubOAuthEnabled: method('GitHub', ['GitHubClientId']),
  GitHubClientId: id('GitHub client id', 'Of the OAuth app; its callback is SERVER/oauth/github'),
  GitHubClientSecret: secret('GitHub client secret', 'Of the OAuth app'),
  LinuxDOOAuthEnabled: method('LinuxDO', ['LinuxDOClientId']),
  LinuxDOClientId: id('LinuxDO client id', 'Its callback is SERVER/oauth/linuxdo'),
  LinuxDOClientSecret: secret('LinuxDO client secret', 'Of the LinuxDO application'),
  'oidc.enabled': method('OIDC', ['oidc.client_id']),
  'oidc.client_id': id('OIDC client id', 'Its callback is SERVER/oauth/oidc'),
  'oidc.client_secret': secret('OIDC client secret', 'Of the OIDC client', ['oidc.well_known', 'oidc.token_endpoint']),
  'oidc.well_known': setting({
    value: address('setting.well_known'),
    label: 'OIDC well-known URL',
    help: 'The discovery document; the endpoints below are read from it',
    section,
    writer: 'root',
  }),
  'oidc.authorization_endpoint': setting({
    value: address(),
    label: 'OIDC authorization endpoint',
    help: 'Where users are sent to sign in',
    section,
    writer: 'root',
  }),
  'oidc.token_endpoint': setting({
    value: address(),
    label: 'OIDC token endpoint',
    help: 'Where codes are exchanged',
    section,
    writer: 'root',
  }),
  'oidc.user_info_endpoint': setting({
    value: address(),
    label: 'OIDC user info endpoint',
    help: 'Where user data is read',
    section,
    writer: 'root',
  }),
  WeChatAuthEnabled: method('WeChat', ['WeChatServerAddress']),
  WeChatServerAddress: setting({
    value: address(),
    label: 'WeChat server address',
    help: 'The helper server of an official account',
    section,
    writer: 'root',
  }),
  WeChatServerToken: secret('WeChat server token', 'Sent to the helper server as Authorization', [
    'WeChatServerAddress',
  ]),
  WeChatAccountQRCodeImageURL: setting({
    value: link(),
    label: 'WeChat QR code',
    help: 'Address of the image that users scan to follow the account',
    section,
    writer: 'root',
  }),
  TelegramOAuthEnabled: method('Telegram', ['TelegramBotToken']),
  TelegramBotToken: secret('Telegram bot token', 'Signs what the login widget returns'),
  TelegramBotName: id('Telegram bot name', 'Shown by the login widget'),
  TurnstileCheckEnabled: setting<boolean>({
    value: flag(false),
    label: 'Human check',
    help: 'Login, registration and mails ask for a Turnstile check',
    section,
    writer: 'root',
    conflict: needs(['TurnstileSiteKey', 'TurnstileSecretKey'], 'setting.needs_provider', { provider: 'Turnstile' }),
  }),
  TurnstileSiteKey: id('Turnstile site key', 'Public; used by the browser'),
  TurnstileSecretKey: secret('Turnstile secret key', 'Checks what the browser sends'),
}
