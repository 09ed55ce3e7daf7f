import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareFields } from '../contract/field.ts'
import { words } from '../errors.ts'
import { signInServiceList } from '../settings/sign-in-services.ts'
import { UserRow } from '../users/user.ts'
import { proofs } from './proof-contract.ts'
import { TelegramFields } from './methods/telegram.ts'
import { signInFields } from './sign-in-fields.data.ts'
import { SignedIn } from './signed-in.ts'

const turnstile = z.string().optional()
const success = z.null()
const line = z.string().max(2000).default('')

const SERVICES = signInServiceList.map(({ type }) => type)
const REDIRECTING = signInServiceList.filter(({ way }) => way === 'redirect').map(({ type }) => type)

/** Null, with the message `bind`, where a service was bound to the account that is signed in. */
const entered = { reply: SignedIn.nullable(), beside: z.object({ message: z.string() }) }

export const auth = {
  login: endpoint({
    method: 'POST',
    path: '/api/user/login',
    access: 'public',
    summary: words('Sign in with username or e-mail and password', '用用户名或邮箱与密码登录'),
    query: z.object({ turnstile }),
    row: UserRow,
    body: z.object(declareFields(signInFields, { username: z.string().default(''), password: z.string().default('') })),
    reply: SignedIn,
  }),
  logout: endpoint({
    method: 'GET',
    path: '/api/user/logout',
    access: 'public',
    changes: true,
    summary: words('End the session', '结束会话'),
    reply: success,
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/user/register',
    access: 'public',
    limit: 'login',
    summary: words('Make an account; with a code sent by mail where that is asked for', '注册账户；要求时凭邮件验证码'),
    query: z.object({ turnstile }),
    row: UserRow,
    body: z.object(
      declareFields(signInFields, {
        username: z.string().default(''),
        password: z.string().default(''),
        password2: z.string().optional(),
        email: line,
        verification_code: line,
        aff_code: line,
      }),
    ),
    reply: SignedIn,
  }),
  verification: endpoint({
    method: 'GET',
    path: '/api/verification',
    access: 'public',
    limit: 'verification',
    changes: true,
    summary: words(
      'Send a code to an email address; if an account has the address already, the mail says so',
      '向邮箱发送验证码；该邮箱已有账户时发送相应通知',
    ),
    query: z.object({ email: line, turnstile }),
    reply: success,
  }),
  resetRequest: endpoint({
    method: 'GET',
    path: '/api/reset_password',
    access: 'public',
    limit: 'reset',
    changes: true,
    summary: words(
      'Send a link for a new password, if anybody has this e-mail address',
      '若有人使用此邮箱，则发送重设密码的链接',
    ),
    query: z.object({ email: line, turnstile }),
    reply: success,
  }),
  reset: endpoint({
    method: 'POST',
    path: '/api/user/reset',
    access: 'public',
    limit: 'reset',
    summary: words('A new password, for the token of the link', '凭链接中的令牌设置新密码'),
    row: UserRow,
    body: z.object(declareFields(signInFields, { email: line, token: line })),
    reply: z.string(),
  }),
  oauthState: endpoint({
    method: 'GET',
    path: '/api/oauth/state',
    access: 'public',
    limit: 'login',
    changes: true,
    proof: { when: words('somebody is signed in, and binds', '已登录并进行绑定时') },
    summary: words(
      'A state for a page that sends the browser to another service by itself',
      '供自行跳转到其他登录服务的页面使用的 state',
    ),
    query: z.object({ aff: line }),
    reply: z.string(),
  }),
  oauthStart: endpoint({
    method: 'POST',
    path: '/api/oauth/{type}/start',
    access: 'public',
    limit: 'login',
    proof: { when: words('somebody is signed in, and binds', '已登录并进行绑定时') },
    summary: words(
      'Address that the browser is sent to in order to sign in with another service: with state, nonce and PKCE',
      '用其他服务登录时浏览器应前往的地址：含 state、nonce 与 PKCE',
    ),
    params: z.object({ type: z.string().max(64) }),
    body: z.object(declareFields(signInFields, { aff: line })),
    reply: z.object({ url: z.string() }),
  }),
  oauth: endpoint({
    method: 'GET',
    path: '/api/oauth/{type}',
    access: 'public',
    limit: 'login',
    changes: true,
    summary: words(
      `Sign in with, or bind, another service (${REDIRECTING.join(', ')} or one of the operator) by its code`,
      `用其他服务（${REDIRECTING.join('、')} 或运营者添加的服务）的授权码登录或绑定`,
    ),
    params: z.object({ type: z.string().max(64) }),
    query: z.object({ code: line, state: line }),
    ...entered,
  }),
  wechat: endpoint({
    method: 'GET',
    path: '/api/oauth/wechat',
    access: 'public',
    limit: 'login',
    changes: true,
    proof: { when: words('somebody is signed in, and binds', '已登录并进行绑定时') },
    summary: words('Sign in with the code that the WeChat account gave', '用微信公众号给出的验证码登录'),
    query: z.object({ code: line, aff: line }),
    ...entered,
  }),
  wechatBind: endpoint({
    method: 'GET',
    path: '/api/oauth/wechat/bind',
    access: 'user',
    scope: 'all',
    limit: 'login',
    changes: true,
    proof: true,
    summary: words('Bind a WeChat account by its code', '用微信验证码绑定微信账户'),
    query: z.object({ code: line }),
    ...entered,
  }),
  telegram: endpoint({
    method: 'GET',
    path: '/api/oauth/telegram/login',
    access: 'public',
    limit: 'login',
    changes: true,
    proof: { when: words('somebody is signed in, and binds', '已登录并进行绑定时') },
    summary: words(
      'Sign in with what the Telegram widget signed; only for bound accounts',
      '用 Telegram 组件签名的内容登录；仅限已绑定的账户',
    ),
    query: TelegramFields,
    ...entered,
  }),
  telegramBind: endpoint({
    method: 'GET',
    path: '/api/oauth/telegram/bind',
    access: 'user',
    scope: 'all',
    limit: 'login',
    changes: true,
    proof: true,
    summary: words('Bind a Telegram account by what the widget signed', '用 Telegram 组件签名的内容绑定 Telegram 账户'),
    query: TelegramFields,
    ...entered,
  }),
  emailBind: endpoint({
    method: 'GET',
    path: '/api/oauth/email/bind',
    access: 'user',
    scope: 'all',
    limit: 'verification',
    changes: true,
    proof: true,
    summary: words('Bind an e-mail address by the code sent to it', '用发送到邮箱的验证码绑定邮箱'),
    query: z.object({ email: line, code: line }),
    reply: success,
  }),
  bindings: endpoint({
    method: 'GET',
    path: '/api/user/bindings',
    access: 'user',
    scope: 'read',
    summary: words(
      'The ways in which the signed-in user can sign in: whether a password exists, and the bound services. Times in epoch seconds',
      '当前用户的登录方式：是否有密码，以及已绑定的服务，时间为秒级时间戳',
    ),
    reply: z.object({
      has_password: z.boolean(),
      services: z.array(z.object({ provider: z.string(), created_time: z.number() })),
    }),
  }),
  unbind: endpoint({
    method: 'DELETE',
    path: '/api/user/bindings/{provider}',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words(
      `Unbind another service (${SERVICES.join(', ')} or one of the operator)`,
      `解绑其他服务（${SERVICES.join('、')} 或运营者添加的服务）`,
    ),
    params: z.object({ provider: z.string().max(64) }),
    reply: success,
  }),
  ...proofs,
}
