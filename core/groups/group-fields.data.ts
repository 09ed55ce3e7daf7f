// The fields of a group, as operators fill them in.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const groupFields = {
  name: { label: words('Name'), help: words('Name of the group'), example: 'vip' },
  ratio: {
    label: words('Ratio'),
    help: words('The factor of all prices; if absent, it stays, and is 1 for a new group'),
    example: 0.8,
  },
  description: {
    label: words('Description'),
    help: words('The description by which users choose the group for tokens; null restricts it to users of the group, if absent it stays'),
    example: 'VIP group',
  },
  special: {
    label: words('Special ratios'),
    help: words('Ratios for users of other groups in place of its ratio; null removes one, absent ones stay'),
    example: { vip: 0.5 },
  },
  in_use: {
    label: words('Even if it is used'),
    help: words('Remove the group although users, tokens or channels use it: those tokens are refused, and the users continue at a ratio of 1'),
    example: false,
  },
} as const satisfies Record<string, FieldDeclaration>
