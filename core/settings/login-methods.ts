// Settings of the sign-in methods other than the password, and of the human check. Only the super administrator may
// change identity providers, since a malicious one could impersonate any user.
import { words } from '../errors.ts'
import type { Card } from './cards.data.ts'
import { address, baseAddress, flag, link, needs, setting, text, type Setting } from './setting.ts'
import { signInServices, type SignInServiceName } from './sign-in-services.ts'

type Method = SignInServiceName | 'turnstile'
type Details<N extends string> = Pick<Setting<string, N, string>, 'label' | 'help' | 'order' | 'public' | 'sentTo'>

/** The fields of a sign-in method, on a separate card. */
const card = (method: Method): Card => `system.${method}`
const id = <const N extends string = never>(method: Method, details: Details<N>): Setting<string, N, string> =>
  setting({ value: text(), card: card(method), writer: 'root', ...details })
const secret = (method: Method, details: Details<never>) => setting({ ...id(method, details), secret: true })
const endpointAddress = <const N extends string = never>(method: Method, details: Details<N>) =>
  setting({ ...id(method, details), value: address() })
const hostAddress = (method: Method, details: Details<never>) =>
  setting({ ...id(method, details), value: baseAddress() })
/** Whether it is offered: on the card of signing in. */
const offered = <const T extends SignInServiceName>(
  type: T,
  service: string,
  zh: string,
  keys: string[],
  order: number,
  place: number,
) =>
  setting({
    value: flag(false),
    label: words(`Sign in with ${service}`, `允许通过 ${zh} 登录`),
    help: words(`Needs ${keys.join(', ')}`, `需要 ${keys.join('、')}`),
    card: 'system.login',
    order,
    public: {
      name: signInServices[type].shown as (typeof signInServices)[T]['shown'],
      order: place,
      meaning: `Can people sign in with ${service}?`,
    },
    writer: 'root',
    conflict: needs(keys, 'setting.needs_provider', { provider: service }),
    whileConflicting: () => false,
  })

export const loginMethods = {
  GitHubOAuthEnabled: offered('github', 'GitHub', 'GitHub', ['GitHubClientId'], 100, 240),
  GitHubClientId: id('github', {
    label: words('GitHub client id', 'GitHub 客户端 ID'),
    help: words(
      'Of the OAuth app; its callback is SERVER/oauth/github',
      'OAuth 应用的 ID；其回调地址为 SERVER/oauth/github',
    ),
    order: 10,
    public: { name: 'github_client_id', order: 250, meaning: 'GitHub: Id of the OAuth app' },
  }),
  GitHubClientSecret: secret('github', {
    label: words('GitHub client secret', 'GitHub 客户端密钥'),
    help: words('Of the OAuth app', 'OAuth 应用的密钥'),
    order: 20,
  }),
  LinuxDOOAuthEnabled: offered('linuxdo', 'LinuxDO', 'LinuxDO', ['LinuxDOClientId'], 110, 290),
  LinuxDOClientId: id('linuxdo', {
    label: words('LinuxDO client id', 'LinuxDO 客户端 ID'),
    help: words('Its callback is SERVER/oauth/linuxdo', '其回调地址为 SERVER/oauth/linuxdo'),
    order: 10,
    public: { name: 'linuxdo_client_id', order: 300, meaning: 'LinuxDO: Id of the application' },
  }),
  LinuxDOClientSecret: secret('linuxdo', {
    label: words('LinuxDO client secret', 'LinuxDO 客户端密钥'),
    help: words('Of the LinuxDO application', 'LinuxDO 应用的密钥'),
    order: 20,
  }),
  'oidc.enabled': offered('oidc', 'OIDC', 'OIDC', ['oidc.client_id'], 120, 260),
  'oidc.client_id': id('oidc', {
    label: words('OIDC client id', 'OIDC 客户端 ID'),
    help: words('Its callback is SERVER/oauth/oidc', '其回调地址为 SERVER/oauth/oidc'),
    order: 20,
    public: { name: 'oidc_client_id', order: 270, meaning: 'OIDC: Id of the client' },
  }),
  'oidc.client_secret': secret('oidc', {
    label: words('OIDC client secret', 'OIDC 客户端密钥'),
    help: words('Of the OIDC client', 'OIDC 客户端的密钥'),
    order: 30,
    sentTo: ['oidc.well_known', 'oidc.token_endpoint'],
  }),
  'oidc.well_known': setting({
    value: address('setting.well_known'),
    label: words('OIDC well-known URL', 'OIDC Well-Known 地址'),
    help: words('The discovery document; the endpoints below are read from it', '发现文档；下列端点由此读取'),
    card: 'system.oidc',
    order: 10,
    writer: 'root',
    test: 'settings.readWellKnown',
  }),
  'oidc.authorization_endpoint': endpointAddress('oidc', {
    label: words('OIDC authorization endpoint', 'OIDC 授权端点'),
    help: words('Address that users are sent to in order to sign in', '用户登录时前往的地址'),
    order: 40,
    public: {
      name: 'oidc_authorization_endpoint',
      order: 280,
      meaning: 'OIDC: Page on which signing in with it begins',
    },
  }),
  'oidc.token_endpoint': endpointAddress('oidc', {
    label: words('OIDC token endpoint', 'OIDC 令牌端点'),
    help: words('Address at which codes are exchanged', '用授权码换取令牌的地址'),
    order: 50,
  }),
  'oidc.user_info_endpoint': endpointAddress('oidc', {
    label: words('OIDC user info endpoint', 'OIDC 用户信息端点'),
    help: words('Address at which user data is read', '读取用户信息的地址'),
    order: 60,
  }),
  WeChatAuthEnabled: offered('wechat', 'WeChat', '微信', ['WeChatServerAddress'], 130, 310),
  WeChatServerAddress: hostAddress('wechat', {
    label: words('WeChat server address', '微信服务器地址'),
    help: words('The helper server of an official account', '公众号的辅助服务器'),
    order: 10,
  }),
  WeChatServerToken: secret('wechat', {
    label: words('WeChat server token', '微信服务器访问凭证'),
    help: words('Sent to the helper server as Authorization', '以 Authorization 发送给辅助服务器'),
    order: 20,
    sentTo: ['WeChatServerAddress'],
  }),
  WeChatAccountQRCodeImageURL: setting({
    value: link(),
    label: words('WeChat QR code', '微信公众号二维码'),
    help: words('Address of the image that users scan to follow the account', '用户扫码关注公众号的图片地址'),
    card: 'system.wechat',
    order: 30,
    public: { name: 'wechat_qrcode', order: 320, meaning: 'WeChat: Picture of the QR code of the account' },
    writer: 'root',
  }),
  TelegramOAuthEnabled: offered('telegram', 'Telegram', 'Telegram', ['TelegramBotToken'], 140, 330),
  TelegramBotToken: secret('telegram', {
    label: words('Telegram bot token', 'Telegram 机器人令牌'),
    help: words('Signs what the login widget returns', '用于签名登录组件返回的内容'),
    order: 10,
  }),
  TelegramBotName: id('telegram', {
    label: words('Telegram bot name', 'Telegram 机器人名称'),
    help: words('Shown by the login widget', '由登录组件显示'),
    order: 20,
    public: { name: 'telegram_bot_name', order: 340, meaning: 'Telegram: Name of the bot' },
  }),
  TurnstileCheckEnabled: setting({
    value: flag(false),
    label: words('Human check', '启用人机验证'),
    help: words('Login, registration and mails ask for a Turnstile check', '登录、注册和发送邮件时要求 Turnstile 验证'),
    card: 'system.login',
    order: 50,
    public: { name: 'turnstile_check', order: 350, meaning: 'Are people asked to prove that they are people?' },
    writer: 'root',
    conflict: needs(['TurnstileSiteKey', 'TurnstileSecretKey'], 'setting.needs_provider', { provider: 'Turnstile' }),
    // Without its keys the check would block every sign-in, even the one needed to add them.
    whileConflicting: () => false,
  }),
  TurnstileSiteKey: id('turnstile', {
    label: words('Turnstile site key', 'Turnstile 站点密钥'),
    help: words('Public; used by the browser', '公开，由浏览器使用'),
    order: 10,
    public: { name: 'turnstile_site_key', order: 360, meaning: 'Key of the Cloudflare widget' },
  }),
  TurnstileSecretKey: secret('turnstile', {
    label: words('Turnstile secret key', 'Turnstile 服务端密钥'),
    help: words('Checks what the browser sends', '用于校验浏览器提交的内容'),
    order: 20,
  }),
}
