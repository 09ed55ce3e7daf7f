// The fields of a sign-in by a short code.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const deviceFields = {
  device_code: {
    label: words('Device code'),
    help: words('The code that the program received'),
    kind: 'secret',
    example: 'a device code',
  },
  user_code: {
    label: words('Code'),
    help: words('The code that the program shows'),
    example: 'BCDF-GHJK',
  },
  allow: {
    label: words('Allow'),
    help: words('Whether it gets the access token'),
    example: true,
  },
  expired_time: {
    label: words('Expiry'),
    help: words('Expiry of the access token, in epoch seconds: within 366 days; 90 days by default'),
    kind: 'time',
    example: 1_767_225_600,
  },
} as const satisfies Record<string, FieldDeclaration>
