import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { fillTemplate, joinList, words } from '../errors.ts'
import { signInServiceList } from '../settings/sign-in-services.ts'
import { UserRow } from '../users/user.ts'
import { OfferedService, secondFactorContract } from './second-factor-contract.ts'
import { TelegramFields } from './methods/telegram.ts'
import { signInFields } from './sign-in-fields.data.ts'
import { SignedIn } from './signed-in.ts'

const turnstile = z.string().optional()
const success = z.null()
const line = z.string().max(2000).default('')

const SERVICES = signInServiceList.map(({ type }) => type)
const REDIRECTING = signInServiceList.filter(({ way }) => way === 'redirect').map(({ type }) => type)

/** Null, with the message `bind`, where a service was bound to the account that is signed in. */
const entered = { reply: SignedIn.nullable(), replyFields: z.object({ message: z.string() }) }

export const authContract = {
  login: endpoint({
    method: 'POST',
    path: '/api/user/login',
    access: 'public',
    summary: words('Sign in with username or e-mail and password'),
    query: z.object({ turnstile }),
    row: UserRow,
    body: z.object(
      declareShapeFields(signInFields, { username: z.string().default(''), password: z.string().default('') }),
    ),
    reply: SignedIn,
  }),
  logout: endpoint({
    method: 'GET',
    path: '/api/user/logout',
    access: 'public',
    changes: true,
    summary: words('End the session'),
    reply: success,
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/user/register',
    access: 'public',
    limit: 'login',
    summary: words('Create an account; with an emailed code if the site requires one'),
    query: z.object({ turnstile }),
    row: UserRow,
    body: z.object(
      declareShapeFields(signInFields, {
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
    summary: words('Send a code to an email address; if an account already has the address, the mail states that'),
    query: z.object({ email: line, turnstile }),
    reply: success,
  }),
  resetRequest: endpoint({
    method: 'GET',
    path: '/api/reset_password',
    access: 'public',
    limit: 'reset',
    changes: true,
    summary: words('Send a password reset link if an account has this email address'),
    query: z.object({ email: line, turnstile }),
    reply: success,
  }),
  reset: endpoint({
    method: 'POST',
    path: '/api/user/reset',
    access: 'public',
    limit: 'reset',
    summary: words('A new password, for the token of the link'),
    row: UserRow,
    body: z.object(declareShapeFields(signInFields, { email: line, token: line })),
    reply: z.string(),
  }),
  oauthState: endpoint({
    method: 'GET',
    path: '/api/oauth/state',
    access: 'public',
    limit: 'login',
    changes: true,
    proof: { when: words('a signed-in user links a sign-in service') },
    summary: words('A state value for a page that redirects the browser to a sign-in service'),
    query: z.object({ aff: line }),
    reply: z.string(),
  }),
  oauthStart: endpoint({
    method: 'POST',
    path: '/api/oauth/{type}/start',
    access: 'public',
    limit: 'login',
    proof: { when: words('a signed-in user links a sign-in service') },
    summary: words(
      'Address that the browser is sent to in order to sign in with another service: with state, nonce and PKCE',
    ),
    params: z.object({ type: z.string().max(64) }),
    body: z.object(declareShapeFields(signInFields, { aff: line })),
    reply: z.object({ url: z.string() }),
  }),
  oauth: endpoint({
    method: 'GET',
    path: '/api/oauth/{type}',
    access: 'public',
    limit: 'login',
    changes: true,
    summary: fillTemplate(
      words('Sign in with, or bind, another service ({redirecting} or one of the operator) by its code'),
      { redirecting: joinList(REDIRECTING) },
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
    proof: { when: words('a signed-in user links a sign-in service') },
    summary: words('Sign in with the code that the WeChat account gave'),
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
    summary: words('Bind a WeChat account by its code'),
    query: z.object({ code: line }),
    ...entered,
  }),
  telegram: endpoint({
    method: 'GET',
    path: '/api/oauth/telegram/login',
    access: 'public',
    limit: 'login',
    changes: true,
    proof: { when: words('a signed-in user links a sign-in service') },
    summary: words('Sign in with what the Telegram widget signed; only for bound accounts'),
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
    summary: words('Bind a Telegram account by what the widget signed'),
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
    summary: words('Bind an e-mail address by the code sent to it'),
    query: z.object({ email: line, code: line }),
    reply: success,
  }),
  bindings: endpoint({
    method: 'GET',
    path: '/api/user/bindings',
    access: 'user',
    scope: 'read',
    summary: words(
      'The ways in which the signed-in user can sign in: whether a password exists, the bound services, and those that the operator added. Times in epoch seconds',
    ),
    reply: z.object({
      has_password: z.boolean(),
      services: z.array(z.object({ provider: z.string(), created_time: z.number() })),
      offered: z.array(OfferedService),
    }),
  }),
  unbind: endpoint({
    method: 'DELETE',
    path: '/api/user/bindings/{provider}',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: fillTemplate(words('Unbind another service ({services} or one of the operator)'), {
      services: joinList(SERVICES),
    }),
    params: z.object({ provider: z.string().max(64) }),
    reply: success,
  }),
  ...secondFactorContract,
}
