// The fields of signing in, of making an account, of its proofs, and of the operator's own sign-in services.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

export const signInFields = {
  username: {
    label: words('Username', '用户名'),
    help: words('Name to sign in with', '登录所用的名称'),
    example: 'ada',
  },
  password: {
    label: words('Password', '密码'),
    help: words('8 to 20 characters for new ones', '新密码为 8 到 20 个字符'),
    kind: 'secret',
    example: 'a long password',
  },
  password2: {
    label: words('Password once more', '确认密码'),
    help: words('The password once more', '再次输入密码'),
    kind: 'secret',
    example: 'a long password',
  },
  email: { label: words('E-mail', '邮箱'), help: words('E-mail address', '邮箱地址'), example: 'ada@example.com' },
  verification_code: {
    label: words('Verification code', '验证码'),
    help: words('Code that was mailed', '邮件中的验证码'),
    example: '123456',
  },
  aff_code: {
    label: words('Invitation code', '邀请码'),
    help: words('Invitation code of who invited', '邀请人的邀请码'),
    example: 'aB3d',
  },
  aff: {
    label: words('Invitation code', '邀请码'),
    help: words('Invitation code of who invited', '邀请人的邀请码'),
    example: 'aB3d',
  },
  token: {
    label: words('Token of the link', '链接令牌'),
    help: words('Token of the link that was mailed', '邮件链接中的令牌'),
    example: 'a token of the link',
  },
  code: {
    label: words('Code', '验证码'),
    help: words('Code of the authenticator app, or a backup code', '身份验证器中的验证码，或备用码'),
    example: '123456',
  },
  passkey: {
    label: words('Passkey', '通行密钥'),
    help: words("The reply of the browser's credential functions", '浏览器返回的凭据'),
    example: {},
  },
} as const satisfies Record<string, Field>

export const passkeyFields = {
  name: { label: words('Name', '名称'), help: words('Name of the passkey', '通行密钥的名称'), example: 'my phone' },
  passkey: signInFields.passkey,
} as const satisfies Record<string, Field>

export const serviceFields = {
  id: {
    label: words('Id', '标识'),
    help: words('Id of the service: letters, digits and hyphens', '登录服务的标识：字母、数字和连字符'),
    example: 'company',
  },
  name: { label: words('Name', '名称'), help: words('Name of the service', '登录服务的名称'), example: 'Company' },
  well_known: {
    label: words('Well-known URL', 'Well-Known 地址'),
    help: words('Address of its discovery document', '发现文档的地址'),
    example: 'https://id.example.com/.well-known/openid-configuration',
  },
  client_id: {
    label: words('Client ID', '客户端 ID'),
    help: words('Id that the service gave Weir', '登录服务为本站分配的 ID'),
    example: 'weir',
  },
  client_secret: {
    label: words('Client secret', '客户端密钥'),
    help: words(
      'Secret that the service issued to Weir; empty keeps the current one',
      '登录服务为本站分配的密钥；留空则保留现有密钥',
    ),
    kind: 'secret',
    example: '',
  },
  scopes: {
    label: words('Scopes', '授权范围'),
    help: words('Scopes to ask for', '请求的授权范围'),
    example: 'openid profile email',
  },
  enabled: { label: words('Enabled', '启用'), help: words('Whether it is in use', '是否启用'), example: true },
} as const satisfies Record<string, Field>
