// Settings of online payment (prices, Epay, Stripe) and of the worker that fetches on our behalf.
import { words } from '../errors.ts'
import { z } from 'zod'
import type { OtherSettings } from './setting.ts'
import {
  address,
  baseAddress,
  count,
  decimal,
  flag,
  longText,
  needsSettings,
  ownAddress,
  ratios,
  failWithCode,
  setting,
  text,
} from './setting.ts'

/** Payment services call back, so they must know where we are. */
const conflict = needsSettings(['ServerAddress'], 'setting.needs_server_address')

/** Returns true if none of the texts is empty. Payment services need the server address to report to. */
const hasAll = (others: OtherSettings, keys: readonly string[]) => keys.every((key) => others(key) !== '')

export const paymentSettings = {
  Price: setting({
    value: decimal(7.3),
    label: words('Price of a unit'),
    help: words('Price of one unit (a dollar of quota) in the currency of payment'),
    card: 'system.payment',
    order: 10,
    public: {
      name: 'price',
      order: 370,
      meaning: 'Price of one US dollar of quota in the currency of the site',
      before: 0,
    },
    writer: 'proven_admin',
  }),
  MinTopUp: setting({
    value: count(1),
    label: words('Smallest top-up'),
    help: words('In units'),
    card: 'system.payment',
    order: 20,
    public: { name: 'min_topup', order: 380, meaning: 'Least amount of a top-up' },
    writer: 'proven_admin',
  }),
  TopupGroupRatio: setting({
    value: ratios({ default: 1, vip: 1, svip: 1 }),
    label: words('Top-up group ratio'),
    help: words('Multiplier of the price of a top-up by user group; missing or 0 counts as 1'),
    card: 'system.payment',
    order: 30,
    writer: 'proven_admin',
  }),
  InvoiceSeller: setting({
    value: longText(),
    label: words('Seller on invoices'),
    help: words(
      'Name, address and tax number, a line each; everybody can read it. Empty for the system name and the server address',
    ),
    card: 'system.payment',
    order: 35,
    public: {
      name: 'invoice_seller',
      order: 390,
      meaning: 'Name, address and tax number of who sells, a line each; empty for the name and the address of the site',
    },
    writer: 'proven_admin',
  }),
  CustomCallbackAddress: setting({
    value: ownAddress(),
    label: words('Callback address'),
    help: words('Address that payment services report to, if not the server address'),
    card: 'system.payment',
    order: 40,
    writer: 'root',
  }),
  PayAddress: setting({
    value: baseAddress(),
    label: words('Epay address'),
    help: words('Base address of the Epay gateway'),
    card: 'system.epay',
    order: 10,
    test: 'topups.verifyNotice',
    public: {
      name: 'enable_online_topup',
      order: 400,
      meaning: 'Can quota be bought by Epay?',
      as: {
        type: z.boolean(),
        convert: (_, others) => hasAll(others, ['ServerAddress', 'PayAddress', 'EpayId', 'EpayKey']),
      },
    },
    writer: 'root',
    conflict,
    conflictRefused: true,
  }),
  EpayId: setting({
    value: text(),
    label: words('Epay merchant id'),
    help: words('Given by the Epay gateway'),
    card: 'system.epay',
    order: 20,
    writer: 'root',
  }),
  EpayKey: setting({
    value: text(),
    label: words('Epay key'),
    help: words('Signs what is sent and received'),
    card: 'system.epay',
    order: 30,
    writer: 'root',
    secret: true,
    sentTo: ['PayAddress'],
  }),
  'stripe.secret_key': setting({
    value: text(),
    label: words('Stripe secret key'),
    help: words('Begins with sk_ or rk_; opens checkout pages'),
    card: 'system.stripe',
    order: 10,
    test: 'topups.verifyNotice',
    public: {
      name: 'enable_stripe_topup',
      order: 410,
      meaning: 'Can quota be bought by Stripe?',
      as: {
        type: z.boolean(),
        convert: (_, others) => hasAll(others, ['ServerAddress', 'stripe.secret_key', 'stripe.webhook_secret']),
      },
    },
    writer: 'root',
    secret: true,
    conflict,
    conflictRefused: true,
  }),
  'stripe.webhook_secret': setting({
    value: text(),
    label: words('Stripe webhook secret'),
    help: words(
      'Begins with whsec_; proves that a report is from Stripe. Its endpoint is SERVER/api/user/stripe/notify',
    ),
    card: 'system.stripe',
    order: 20,
    writer: 'root',
    secret: true,
  }),
  'stripe.currency': setting({
    value: {
      ...text('usd'),
      schema: z
        .string()
        .trim()
        .toLowerCase()
        .refine((code) => /^[a-z]{3}$/.test(code), failWithCode('setting.currency')),
    },
    label: words('Stripe currency'),
    help: words('Three letters. Amounts have two decimals, so only currencies that do'),
    card: 'system.stripe',
    order: 30,
    public: { name: 'stripe_currency', order: 430, meaning: 'Currency at Stripe' },
    writer: 'proven_admin',
  }),
  'stripe.price': setting({
    value: decimal(1),
    label: words('Stripe price of a unit'),
    help: words('Price of one unit (a dollar of quota) in the currency of Stripe'),
    card: 'system.stripe',
    order: 40,
    public: {
      name: 'stripe_price',
      order: 420,
      meaning: 'Price of one US dollar of quota by Stripe',
      example: 8,
      before: 0,
    },
    writer: 'proven_admin',
  }),
  WorkerUrl: setting({
    value: address(),
    label: words('Worker address'),
    help: words('Images and webhooks are fetched through it: it receives url, key, method, headers and body'),
    card: 'system.worker',
    order: 10,
    writer: 'root',
  }),
  WorkerValidKey: setting({
    value: text(),
    label: words('Worker key'),
    help: words('Sent to the worker as key'),
    card: 'system.worker',
    order: 20,
    writer: 'root',
    secret: true,
    sentTo: ['WorkerUrl'],
  }),
  WorkerAllowHttpImageRequestEnabled: setting({
    value: flag(false),
    label: words('Plain http images through the worker'),
    help: words('Off: the worker fetches https addresses only'),
    card: 'system.worker',
    order: 30,
    writer: 'root',
  }),
}
