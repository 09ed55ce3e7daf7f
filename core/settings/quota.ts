// Settings of quota: its unit and what is held before a call.
import { LARGEST_AMOUNT } from '../contract/amount.ts'
import { count, decimal, flag, setting } from './setting.ts'

const section = 'quota'

export const quotaSettings = {
  QuotaPerUnit: setting({
    value: decimal(500_000, { min: 1 }),
    label: 'Quota per unit',
    help: 'Quota units that make one US dollar. Changing it changes the worth of every balance, and re-prices fixed prices against ratios',
    section,
    writer: 'proven_admin',
  }),
  DisplayInCurrencyEnabled: setting({
    value: flag(true),
    label: 'Show money',
    help: 'Amounts are shown in dollars instead of quota units',
    section,
    writer: 'admin',
  }),
  DisplayTokenStatEnabled: setting({
    value: flag(true),
    label: "Billing calls show the token's figures",
    help: "Off: the user's figures",
    section,
    writer: 'admin',
  }),
  QuotaForNewUser: setting({
    value: count(0, { max: LARGEST_AMOUNT }),
    label: 'Quota for new users',
    help: 'Credited when an account is made',
    section,
    writer: 'proven_admin',
    unit: 'quota',
  }),
  QuotaForInvitee: setting({
    value: count(0, { max: LARGEST_AMOUNT }),
    label: 'Quota for the invited',
    help: 'Credited to a new user who came by an invitation',
    section,
    writer: 'proven_admin',
    unit: 'quota',
  }),
  QuotaForInviter: setting({
    value: count(0, { max: LARGEST_AMOUNT }),
    label: 'Quota for inviting',
    help: "Added to the inviter's earnings for each new user",
    section,
    writer: 'proven_admin',
    unit: 'quota',
  }),
  QuotaRemindThreshold: setting({
    value: count(500_000, { max: LARGEST_AMOUNT }),
    label: 'Warning threshold',
    help: 'Users who set none of their own are warned when their balance falls below it',
    section,
    writer: 'admin',
    unit: 'quota',
  }),
  StrictHold: setting({
    value: flag(false),
    label: 'Hold answers in full',
    help: 'A call holds its expected answer at the price of answers, bounded by the longest that its model gives. Who cannot cover that may stream all the same, and the stream ends as if it were too long when the balance is used up. Off: answers are held at the price of prompts, and a balance may fall below zero',
    section,
    writer: 'proven_admin',
  }),
  PreConsumedQuota: setting({
    value: count(500),
    label: 'Smallest prompt estimate',
    help: 'A call holds at least this many prompt tokens before it runs',
    section,
    writer: 'proven_admin',
    unit: 'tokens',
  }),
}
