// The fields of redemption codes, as administrators fill them in, and of redeeming one.
import type { FieldDeclaration } from '../contract/field.ts'
import { remarkFieldDeclaration } from '../contract/remark.ts'
import { words } from '../errors.ts'

export const redemptionFields = {
  id: { label: words('Number'), help: words('Number of the code'), example: 7 },
  name: {
    label: words('Name'),
    help: words('Name of the code, 1 to 20 characters'),
    example: 'spring',
  },
  quota: {
    label: words('Quota'),
    help: words('Value in quota units'),
    kind: 'quota',
    unit: words('quota units'),
    example: 500_000,
  },
  count: {
    label: words('Count'),
    help: words('How many codes to make, at most 100'),
    example: 1,
  },
  status: {
    label: words('Status'),
    help: words('1 unused, 2 disabled, 3 redeemed'),
    example: 1,
  },
  expired_time: {
    label: words('Expiry'),
    flag: 'expires',
    help: words('Until when it can be redeemed, in epoch seconds'),
    zero: words('no end'),
    kind: 'time',
    example: 0,
  },
  remark: remarkFieldDeclaration,
  key: {
    label: words('Code', { context: 'redemption' }),
    help: words('The code'),
    example: '0123456789abcdef0123456789abcdef',
  },
} as const satisfies Record<string, FieldDeclaration>
