// The fields of an account and of its access tokens, as people fill them in.
import type { FieldDeclaration } from '../contract/field.ts'
import { remarkFieldDeclaration } from '../contract/remark.ts'
import { words } from '../errors.ts'

const UNITS = words('quota units')

export const userFields = {
  id: { label: words('Number'), help: words('Number of the user'), example: 2 },
  ids: { label: words('Users'), help: words('Numbers of the users'), example: [7, 8] },
  username: {
    label: words('Username'),
    help: words('Name to sign in with, up to 12 characters'),
    example: 'ada',
  },
  display_name: {
    label: words('Display name'),
    help: words('Name that is shown, up to 20 characters'),
    example: 'Ada',
  },
  password: {
    label: words('Password'),
    help: words('8 to 20 characters for new ones'),
    kind: 'secret',
    example: 'a long password',
  },
  original_password: {
    label: words('Current password'),
    help: words('The password until now'),
    kind: 'secret',
    example: 'the password of before',
  },
  email: {
    label: words('Email'),
    help: words('Address of the user. Without a password it is an invitation: its owner gets a link and sets one'),
    example: 'ada@example.com',
  },
  group: { label: words('Group'), help: words('Group of the user'), example: 'default' },
  role: {
    label: words('Role'),
    help: words('Role of the user: 1 ordinary, 10 administrator, 100 root'),
    example: 1,
  },
  quota: {
    label: words('Quota'),
    help: words('Balance, in quota units'),
    kind: 'quota',
    unit: UNITS,
    example: 500_000,
  },
  quota_before: {
    label: words('Balance that was seen'),
    help: words('The balance before the change, in quota units: the change is refused if the balance is now different'),
    kind: 'quota',
    unit: UNITS,
    example: 500_000,
  },
  user_id: { label: words('User'), help: words('Id of the user'), example: 1 },
  remark: remarkFieldDeclaration,
  reason: { label: words('Reason'), help: words('Why, for the record'), example: 'a gift' },
  action: {
    label: words('Action'),
    help: words('Action on the user'),
    example: 'disable',
  },
} as const satisfies Record<string, FieldDeclaration>

/** Fields of a new user that mean something else than those of an existing one. */
export const newUserFields = {
  quota: {
    label: words('First balance'),
    help: words('Balance to begin with, in quota units; empty for what new users get'),
    kind: 'quota',
    unit: UNITS,
    example: 500_000,
  },
} as const satisfies Record<string, FieldDeclaration>

/** Fields of a user's notification settings. */
export const userSettingFields = {
  notify_type: {
    label: words('Notification type'),
    help: words('How to be warned: email or webhook'),
    example: 'email',
  },
  quota_warning_threshold: {
    label: words('Warning threshold'),
    help: words('Warn when the balance falls below, in quota units, more than 0'),
    kind: 'quota',
    unit: UNITS,
    example: 100_000,
  },
  webhook_url: {
    label: words('Webhook URL'),
    help: words('Address that warnings are posted to'),
    example: 'https://example.com/warned',
  },
  webhook_secret: {
    label: words('Webhook secret'),
    help: words('Signs warnings that are posted'),
    kind: 'secret',
    example: 'a secret',
  },
  notification_email: {
    label: words('Notification e-mail'),
    help: words('Email address for warnings; empty for your own'),
    example: 'ada@example.com',
  },
  accept_unset_model_ratio_model: {
    flag: 'accept-unpriced',
    label: words('Accept models without a price'),
    help: words('Whether models without a price may also be called'),
    example: false,
  },
} as const satisfies Record<string, FieldDeclaration>

/** How much of the invitation earnings is moved. */
export const transferFields = {
  quota: {
    label: words('Quota'),
    help: words('How much to transfer to the balance, in quota units'),
    kind: 'quota',
    unit: UNITS,
    example: 500_000,
  },
} as const satisfies Record<string, FieldDeclaration>

export const accessTokenFields = {
  name: { label: words('Name'), help: words('Name of the access token'), example: 'backup' },
  scope: {
    label: words('Scope'),
    help: words('Scope of an access token: usage (only the usage), read, relay (also channels and API tokens) or all'),
    choices: [words('Usage'), words('Read'), words('Relay'), words('All')],
    example: 'read',
  },
  expired_time: {
    label: words('Expiry'),
    help: words('When it expires, in epoch seconds; -1 for never'),
    kind: 'time',
    example: -1,
  },
} as const satisfies Record<string, FieldDeclaration>
