// The fields of signing in, of making an account, of its proofs, and of the operator's own sign-in services.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const signInFields = {
  username: {
    label: words('Username'),
    help: words('Name to sign in with'),
    example: 'ada',
  },
  password: {
    label: words('Password'),
    help: words('8 to 20 characters for new ones'),
    kind: 'secret',
    example: 'a long password',
  },
  password2: {
    label: words('Password once more'),
    help: words('The password once more'),
    kind: 'secret',
    example: 'a long password',
  },
  email: { label: words('Email'), help: words('E-mail address'), example: 'ada@example.com' },
  verification_code: {
    label: words('Verification code'),
    help: words('Code that was mailed'),
    example: '123456',
  },
  aff_code: {
    label: words('Invitation code'),
    help: words('Invitation code of who invited'),
    example: 'aB3d',
  },
  aff: {
    label: words('Invitation code'),
    help: words('Invitation code of who invited'),
    example: 'aB3d',
  },
  token: {
    label: words('Token of the link'),
    help: words('Token of the link that was mailed'),
    example: 'a token of the link',
  },
  code: {
    label: words('Code'),
    help: words('Code of the authenticator app, or a backup code'),
    example: '123456',
  },
  passkey: {
    label: words('Passkey'),
    help: words("The reply of the browser's credential functions"),
    example: {},
  },
} as const satisfies Record<string, FieldDeclaration>

export const passkeyFields = {
  name: { label: words('Name'), help: words('Name of the passkey'), example: 'my phone' },
  passkey: signInFields.passkey,
} as const satisfies Record<string, FieldDeclaration>

export const serviceFields = {
  id: {
    label: words('ID'),
    help: words('ID of the service: letters, digits and hyphens'),
    example: 'company',
  },
  name: { label: words('Name'), help: words('Name of the service'), example: 'Company' },
  well_known: {
    label: words('Well-known URL'),
    help: words('Address of its discovery document'),
    example: 'https://id.example.com/.well-known/openid-configuration',
  },
  client_id: {
    label: words('Client ID'),
    help: words('ID that the service gave Weir'),
    example: 'weir',
  },
  client_secret: {
    label: words('Client secret'),
    help: words('Secret that the service issued to Weir; empty keeps the current one'),
    kind: 'secret',
    example: '',
  },
  scopes: {
    label: words('Scopes'),
    help: words('Scopes to ask for'),
    example: 'openid profile email',
  },
  enabled: { label: words('Enabled'), help: words('Whether it is in use'), example: true },
} as const satisfies Record<string, FieldDeclaration>
