// Settings of quota: its unit and the amount reserved before a call.
import { z } from 'zod'
import { words } from '../errors.ts'
import { MAX_AMOUNT } from '../contract/filter.ts'
import { ZERO_IS_NO_LIMIT } from '../contract/field.ts'
import { isTimeZone } from '../contract/time-zone.ts'
import { count, decimal, failWithCode, flag, setting, text, settingUnits } from './setting.ts'

export const quotaSettings = {
  QuotaPerUnit: setting({
    value: decimal(500_000, { min: 1 }),
    label: words('Quota per unit'),
    help: words(
      'Quota units per US dollar. Changing it changes the value of every balance, and of fixed prices relative to ratios',
    ),
    card: 'operation.general',
    order: 30,
    public: { name: 'quota_per_unit', order: 80, meaning: 'Quota units of one US dollar' },
    danger: words('QuotaPerUnit is used internally; 500000 gives 6 decimals; changing it is not recommended'),
    writer: 'proven_admin',
  }),
  DisplayInCurrencyEnabled: setting({
    value: flag(true),
    label: words('Show money'),
    help: words('Amounts are shown in dollars instead of quota units'),
    card: 'operation.general',
    order: 50,
    public: { name: 'display_in_currency', order: 90, meaning: 'Are amounts shown in currency?' },
    writer: 'admin',
  }),
  DisplayTokenStatEnabled: setting({
    value: flag(true),
    label: words("Billing calls show the token's figures"),
    help: words("Off: the user's figures"),
    card: 'operation.general',
    order: 60,
    writer: 'admin',
  }),
  ReportTimeZone: setting({
    value: {
      ...text(),
      schema: z.string().trim().refine(isTimeZone, failWithCode('setting.report_zone')),
    },
    label: words('Reporting time zone'),
    help: words(
      'IANA name, such as Asia/Shanghai. Days, weeks and months of budgets without a time zone, of statistics and of charts begin at its midnight; empty for UTC, and for the clock of the reader in charts',
    ),
    card: 'operation.general',
    order: 100,
    public: {
      name: 'report_time_zone',
      order: 100,
      meaning: 'Reporting time zone by its IANA name; empty for none',
      example: 'Asia/Shanghai',
    },
    danger: words(
      'The periods of budgets that are under way begin at another time, and what was charged in them is counted again from the ledger.',
    ),
    writer: 'proven_admin',
  }),
  QuotaForNewUser: setting({
    value: count(0, { max: MAX_AMOUNT }),
    label: words('Quota for new users'),
    help: words('Credited when an account is created'),
    card: 'operation.quota',
    order: 10,
    unit: settingUnits.quota,
    writer: 'proven_admin',
  }),
  QuotaForInvitee: setting({
    value: count(0, { max: MAX_AMOUNT }),
    label: words('Quota for the invited'),
    help: words('Credited to a new user who came by an invitation'),
    card: 'operation.quota',
    order: 40,
    unit: settingUnits.quota,
    public: {
      name: 'quota_for_invitee',
      order: 170,
      meaning: 'What people get who come by an invitation, in quota units',
    },
    writer: 'proven_admin',
  }),
  QuotaForInviter: setting({
    value: count(0, { max: MAX_AMOUNT }),
    label: words('Quota for inviting'),
    help: words("Added to the inviter's earnings for each new user"),
    card: 'operation.quota',
    order: 30,
    unit: settingUnits.quota,
    writer: 'proven_admin',
  }),
  QuotaRemindThreshold: setting({
    value: count(500_000, { max: MAX_AMOUNT }),
    label: words('Warning threshold', { context: 'setting' }),
    help: words('Users without their own threshold are warned when their balance falls below it'),
    card: 'operation.monitoring',
    order: 20,
    unit: settingUnits.quota,
    writer: 'admin',
  }),
  StrictHold: setting({
    value: flag(false),
    label: words('Hold answers in full'),
    help: words(
      'Holds the longest answer at the price of answers; a stream ends when the balance is used up. Off: held at the price of prompts, and a balance may fall below zero',
    ),
    card: 'operation.quota',
    order: 50,
    danger: words('Off: balances may fall below zero.'),
    dangerAt: false,
    writer: 'proven_admin',
  }),
  'teams.per_user': setting({
    value: count(100, { max: 100_000 }),
    label: words('Teams of one user'),
    help: words('How many teams one user may own'),
    zero: ZERO_IS_NO_LIMIT,
    card: 'operation.quota',
    order: 60,
    writer: 'admin',
  }),
  PreConsumedQuota: setting({
    value: count(500),
    label: words('Smallest prompt estimate'),
    help: words('A call holds at least this many prompt tokens before it runs'),
    card: 'operation.quota',
    order: 20,
    unit: settingUnits.tokens,
    writer: 'proven_admin',
  }),
}
