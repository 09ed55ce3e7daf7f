// The fields of a team and of its members, as people fill them in.
import { ZERO_IS_NO_LIMIT, type FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

const UNITS = words('quota units')

export const teamFields = {
  id: { label: words('Number'), help: words('Number of the team'), example: 7 },
  invitation_id: {
    label: words('Invitation'),
    help: words('Number of the invitation'),
    example: 7,
  },
  name: { label: words('Name'), help: words('Name of the team'), example: 'research' },
  username: {
    label: words('Username'),
    help: words('Username of the member'),
    example: 'ada',
  },
  role: {
    label: words('Role'),
    help: words('Role of the member: owner or member. A new owner must accept first'),
    choices: [words('Owner'), words('Member')],
    example: 'member',
  },
  budget_day: {
    label: words('Budget of a day'),
    help: words('Budget of the member per day, in quota units'),
 zero: ZERO_IS_NO_LIMIT,
    kind: 'quota',
    unit: UNITS,
    example: 0,
  },
  budget_month: {
    label: words('Budget of a month'),
    help: words('Budget of the member per month, in quota units'),
 zero: ZERO_IS_NO_LIMIT,
    kind: 'quota',
    unit: UNITS,
    example: 0,
  },
  amount: {
    label: words('Amount'),
    help: words('Change of the balance, in quota units; negative deducts from it'),
    kind: 'quota',
    unit: UNITS,
    example: 500_000,
  },
} as const satisfies Record<string, FieldDeclaration>

/** The fields of a view that a team shares. */
export const teamViewFields = {
  id: { label: words('Team'), help: words('Number of the team'), example: 7 },
  view_id: { label: words('View'), help: words('Number of the view'), example: 3 },
  list: { label: words('List'), help: words('Name of the list in the console, such as logs or tokens'), example: 'logs' },
  name: { label: words('Name'), help: words('Name of the view, unique in its list'), example: 'Errors' },
  query: {
    label: words('Address'),
    help: words('Address of the list from its question mark on; empty for the list without filters'),
    example: '?type=5',
  },
} as const satisfies Record<string, FieldDeclaration>
