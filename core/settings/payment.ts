// Settings of online payment (prices, Epay, Stripe) and of the worker that fetches on our behalf.
import { z } from 'zod'
import { address, count, decimal, flag, needs, ratios, refused, setting, text } from './setting.ts'

const section = 'payment'

/** Payment services call back, so they must know where we are. */
const conflict = needs(['ServerAddress'], 'setting.needs_server_address')

export const payment = {
  Price: setting({
    value: decimal(7.3),
    label: 'Price of a unit',
    help: 'What one unit (a dollar of quota) costs in the currency of payment',
    section,
    writer: 'proven_admin',
  }),
  MinTopUp: setting({ value: count(1), label: 'Smallest top-up', help: 'In units', section, writer: 'proven_admin' }),
  TopupGroupRatio: setting({
    value: ratios({ default: 1, vip: 1, svip: 1 }),
    label: 'Top-up group ratio',
    help: 'Multiplier of the price of a top-up by user group; missing or 0 counts as 1',
    section,
    writer: 'proven_admin',
  }),
  CustomCallbackAddress: setting({
    value: address(),
    label: 'Callback address',
    help: 'Where payment services report to, if not the server address',
    section,
    writer: 'root',
  }),
  PayAddress: setting({
    value: address(),
    label: 'Epay address',
    help: 'Base address of the Epay gateway',
    section,
    writer: 'root',
    conflict,
  }),
  EpayId: setting({
    value: text(),
    label: 'Epay merchant id',
    help: 'Given by the Epay gateway',
    section,
    writer: 'root',
  }),
  EpayKey: setting({
    value: text(),
    label: 'Epay key',
    help: 'Signs what is sent and received',
    section,
    writer: 'root',
    secret: true,
    sentTo: ['PayAddress'],
  }),
  'stripe.secret_key': setting({
    value: text(),
    label: 'Stripe secret key',
    help: 'Begins with sk_ or rk_; opens checkout pages',
    section,
    writer: 'root',
    secret: true,
    conflict,
  }),
  'stripe.webhook_secret': setting({
    value: text(),
    label: 'Stripe webhook secret',
    help: 'Begins with whsec_; proves that a report is from Stripe. Its endpoint is SERVER/api/user/stripe/notify',
    section,
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
        .refine((code) => /^[a-z]{3}$/.test(code), refused('setting.currency')),
    },
    label: 'Stripe currency',
    help: 'Three letters. Amounts have two decimals, so only currencies that do',
    section,
    writer: 'proven_admin',
  }),
  'stripe.price': setting({
    value: decimal(1),
    label: 'Stripe price of a unit',
    help: 'What one unit (a dollar of quota) costs in the currency of Stripe',
    section,
    writer: 'proven_admin',
  }),
  WorkerUrl: setting({
    value: address(),
    label: 'Worker address',
    help: 'Images and webhooks are fetched through it: it gets url, key, method, headers and body',
    section: 'worker',
    writer: 'root',
  }),
  WorkerValidKey: setting({
    value: text(),
    label: 'Worker key',
    help: 'Sent to the worker as key',
    section: 'worker',
    writer: 'root',
    secret: true,
    sentTo: ['WorkerUrl'],
  }),
  WorkerAllowHttpImageRequestEnabled: setting({
    value: flag(false),
    label: 'Plain http images through the worker',
    help: 'Off: the worker fetches https addresses only',
    section: 'worker',
    writer: 'root',
  }),
}
