// The fields of the first setup.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const setupFields = {
  username: {
    label: words('Username'),
    help: words('Name of the administrator, up to 12 characters'),
    example: 'root',
  },
  password: {
    label: words('Password'),
    help: words('8 to 20 characters'),
    kind: 'secret',
    example: 'a long password',
  },
  confirmPassword: {
    label: words('Confirm password'),
    help: words('The password once more'),
    kind: 'secret',
    example: 'a long password',
  },
  SelfUseModeEnabled: {
    label: words('Self-use mode'),
    help: words('Whether the site is for one person alone'),
    example: false,
  },
  DemoSiteEnabled: {
    label: words('Demo site'),
    help: words('Whether the site is for show'),
    example: false,
  },
  code: {
    label: words('One-time code'),
    help: words('The server printed it in its terminal when it started'),
    notIn: { terminal: 'who is on the host needs no code' },
    example: '',
  },
} as const satisfies Record<string, FieldDeclaration>
