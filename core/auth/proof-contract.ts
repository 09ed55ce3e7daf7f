import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareFields } from '../contract/field.ts'
import { ReadVersion, Version } from '../contract/version.ts'
import { words } from '../errors.ts'
import { passkeyFields, serviceFields, signInFields } from './sign-in-fields.data.ts'
import { LoginServiceForm, LoginServiceId } from './login-service.ts'
import { SignedIn } from './signed-in.ts'

const success = z.null()
const code = z.object(declareFields(signInFields, { code: z.string().max(64).default('') }))
/** Input and output of the browser's credential functions. */
const credential = z.record(z.string(), z.unknown())
const backups = z.object({ backup_codes: z.array(z.string()) })

/** A sign-in service of the operator; its secret is written and never read. */
const LoginServiceReply = z.object({
  id: z.string(),
  name: z.string(),
  well_known: z.string(),
  client_id: z.string(),
  scopes: z.string(),
  enabled: z.boolean(),
  version: Version,
})
/** Second factors, passkeys, reauthentication, and the sign-in services that the operator added. */
export const proofs = {
  loginCode: endpoint({
    method: 'POST',
    path: '/api/user/login/code',
    access: 'public',
    summary: words(
      'The second step of signing in: a code of the authenticator app, or a backup code',
      '登录的第二步：验证器代码或备用码',
    ),
    body: code,
    reply: SignedIn,
  }),
  stepUp: endpoint({
    method: 'POST',
    path: '/api/user/step_up',
    access: 'user',
    scope: 'all',
    summary: words(
      'Prove again who you are: by password, code of the authenticator app, or passkey',
      '重新验证身份：密码、验证器代码或通行密钥',
    ),
    body: z.object(
      declareFields(signInFields, {
        password: z.string().max(200).optional(),
        code: z.string().max(64).optional(),
        passkey: credential.optional(),
      }),
    ),
    reply: success,
  }),
  stepUpPasskey: endpoint({
    method: 'POST',
    path: '/api/user/step_up/passkey',
    access: 'user',
    scope: 'all',
    summary: words('Options for the browser to prove by passkey who you are', '供浏览器用通行密钥验证身份的参数'),
    reply: credential,
  }),
  totp: endpoint({
    method: 'GET',
    path: '/api/user/totp',
    access: 'user',
    scope: 'read',
    summary: words(
      'Whether an authenticator app is set up, and how many backup codes are left',
      '是否已设置验证器，以及剩余的备用码数',
    ),
    reply: z.object({ enabled: z.boolean(), backup_codes_left: z.number() }),
  }),
  totpBegin: endpoint({
    method: 'POST',
    path: '/api/user/totp',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words(
      'Begin to set up an authenticator app: its secret, and the address for a QR code',
      '开始设置验证器：其密钥与二维码地址',
    ),
    reply: z.object({ secret: z.string(), address: z.string() }),
  }),
  totpConfirm: endpoint({
    method: 'POST',
    path: '/api/user/totp/confirm',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words(
      'Finish with the first code of the app. Gives backup codes, shown once',
      '用验证器的首个代码完成设置，返回备用码，仅显示一次',
    ),
    body: code,
    reply: backups,
  }),
  totpBackups: endpoint({
    method: 'POST',
    path: '/api/user/totp/backup_codes',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('New backup codes, shown once, in place of the old ones', '生成新的备用码，仅显示一次，旧的失效'),
    body: code,
    reply: backups,
  }),
  totpRemove: endpoint({
    method: 'POST',
    path: '/api/user/totp/remove',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Remove the authenticator app, with a code of it', '凭验证器代码移除验证器'),
    body: code,
    reply: success,
  }),
  passkeys: endpoint({
    method: 'GET',
    path: '/api/user/passkeys',
    access: 'user',
    scope: 'read',
    summary: words(
      'The passkeys of the signed-in user. Times in epoch seconds',
      '已登录用户的通行密钥，时间为秒级时间戳',
    ),
    reply: z.array(z.object({ id: z.string(), name: z.string(), created_time: z.number(), used_time: z.number() })),
  }),
  passkeyBegin: endpoint({
    method: 'POST',
    path: '/api/user/passkeys/begin',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Options for the browser to make a passkey', '供浏览器创建通行密钥的参数'),
    reply: credential,
  }),
  passkeyAdd: endpoint({
    method: 'POST',
    path: '/api/user/passkeys',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Keep the passkey that the browser made', '保存浏览器创建的通行密钥'),
    body: z.object(
      declareFields(passkeyFields, { name: z.string().trim().min(1).max(64).default('passkey'), passkey: credential }),
    ),
    reply: z.object({ id: z.string() }),
  }),
  passkeyRemove: endpoint({
    method: 'DELETE',
    path: '/api/user/passkeys/{passkey_id}',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Forget a passkey', '删除通行密钥'),
    params: z.object({ passkey_id: z.string().max(1500) }),
    reply: success,
  }),
  passkeyAsk: endpoint({
    method: 'POST',
    path: '/api/user/login/passkey/begin',
    access: 'public',
    limit: 'login',
    summary: words('Options for the browser to sign in with a passkey', '供浏览器用通行密钥登录的参数'),
    reply: credential,
  }),
  passkeyLogin: endpoint({
    method: 'POST',
    path: '/api/user/login/passkey',
    access: 'public',
    limit: 'login',
    summary: words('Sign in with a passkey', '用通行密钥登录'),
    body: z.object(declareFields(signInFields, { passkey: credential })),
    reply: SignedIn,
  }),
  providers: endpoint({
    method: 'GET',
    path: '/api/login_provider/',
    access: 'public',
    summary: words('The sign-in services that the operator added and enabled', '运营者添加并启用的登录服务'),
    reply: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  providerList: endpoint({
    method: 'GET',
    path: '/api/login_provider/all',
    access: 'admin',
    scope: 'read',
    summary: words(
      'All sign-in services that the operator added, without their secrets',
      '运营者添加的全部登录服务，不含其密钥',
    ),
    reply: z.array(LoginServiceReply),
  }),
  providerCreate: endpoint({
    method: 'POST',
    path: '/api/login_provider/',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words(
      'Add an OpenID Connect service; its callback is SERVER/oauth/ID',
      '添加 OpenID Connect 服务；其回调地址为 SERVER/oauth/ID',
    ),
    body: z.object({ ...LoginServiceForm.shape, ...declareFields(serviceFields, { id: LoginServiceId }) }),
    reply: LoginServiceReply,
  }),
  providerUpdate: endpoint({
    method: 'PUT',
    path: '/api/login_provider/',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words(
      'Change a sign-in service; an empty secret keeps the current one',
      '修改登录服务；密钥留空则保持不变',
    ),
    row: LoginServiceReply,
    body: z.object({
      ...LoginServiceForm.shape,
      ...declareFields(serviceFields, { id: z.string().max(64), version: ReadVersion }),
    }),
    reply: success,
  }),
  providerDelete: endpoint({
    method: 'DELETE',
    path: '/api/login_provider/{provider_id}',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words('Remove a sign-in service; accounts that came through it stay', '移除登录服务；由它注册的账户保留'),
    params: z.object({ provider_id: z.string().max(64) }),
    reply: success,
  }),
}
