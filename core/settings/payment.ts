// Settings of online payment (prices, Epay, Stripe) and of the worker that fetches on our behalf.
import { words } from '../errors.ts'
import { z } from 'zod'
import {
  address,
  baseAddress,
  count,
  decimal,
  flag,
  longText,
  needs,
  ownAddress,
  ratios,
  failWith,
  setting,
  text,
  type Others,
} from './setting.ts'

/** Payment services call back, so they must know where we are. */
const conflict = needs(['ServerAddress'], 'setting.needs_server_address')

/** Returns true if none of the texts is empty. Payment services need the server address to report to. */
const hasAll = (others: Others, keys: readonly string[]) => keys.every((key) => others(key) !== '')

export const payment = {
  Price: setting({
    value: decimal(7.3),
    label: words('Price of a unit', '充值价格'),
    help: words(
      'Price of one unit (a dollar of quota) in the currency of payment',
      '每单位（一美元额度）以支付货币计的价格',
    ),
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
    label: words('Smallest top-up', '最低充值数量'),
    help: words('In units', '以单位计'),
    card: 'system.payment',
    order: 20,
    public: { name: 'min_topup', order: 380, meaning: 'Least amount of a top-up' },
    writer: 'proven_admin',
  }),
  TopupGroupRatio: setting({
    value: ratios({ default: 1, vip: 1, svip: 1 }),
    label: words('Top-up group ratio', '充值分组倍率'),
    help: words(
      'Multiplier of the price of a top-up by user group; missing or 0 counts as 1',
      '各用户分组充值价格的倍率；未填写或为 0 时按 1 计',
    ),
    card: 'system.payment',
    order: 30,
    writer: 'proven_admin',
  }),
  InvoiceSeller: setting({
    value: longText(),
    label: words('Seller on invoices', '账单上的卖方'),
    help: words(
      'Name, address and tax number, a line each; everybody can read it. Empty for the system name and the server address',
      '名称、地址与税号，每行一项；所有人可见。留空则使用系统名称与服务器地址',
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
    label: words('Callback address', '回调地址'),
    help: words(
      'Address that payment services report to, if not the server address',
      '支付服务的通知地址；留空则使用服务器地址',
    ),
    card: 'system.payment',
    order: 40,
    writer: 'root',
  }),
  PayAddress: setting({
    value: baseAddress(),
    label: words('Epay address', '易支付地址'),
    help: words('Base address of the Epay gateway', '易支付网关的根地址'),
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
    label: words('Epay merchant id', '易支付商户 ID'),
    help: words('Given by the Epay gateway', '由易支付网关提供'),
    card: 'system.epay',
    order: 20,
    writer: 'root',
  }),
  EpayKey: setting({
    value: text(),
    label: words('Epay key', '易支付商户密钥'),
    help: words('Signs what is sent and received', '用于签名收发的内容'),
    card: 'system.epay',
    order: 30,
    writer: 'root',
    secret: true,
    sentTo: ['PayAddress'],
  }),
  'stripe.secret_key': setting({
    value: text(),
    label: words('Stripe secret key', 'Stripe 密钥'),
    help: words('Begins with sk_ or rk_; opens checkout pages', '以 sk_ 或 rk_ 开头，用于打开支付页面'),
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
    label: words('Stripe webhook secret', 'Stripe Webhook 密钥'),
    help: words(
      'Begins with whsec_; proves that a report is from Stripe. Its endpoint is SERVER/api/user/stripe/notify',
      '以 whsec_ 开头，用于验证通知确实来自 Stripe。通知地址为 SERVER/api/user/stripe/notify',
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
        .refine((code) => /^[a-z]{3}$/.test(code), failWith('setting.currency')),
    },
    label: words('Stripe currency', 'Stripe 货币'),
    help: words(
      'Three letters. Amounts have two decimals, so only currencies that do',
      '三个字母。金额保留两位小数，因此仅支持有两位小数的货币',
    ),
    card: 'system.stripe',
    order: 30,
    public: { name: 'stripe_currency', order: 430, meaning: 'Currency at Stripe' },
    writer: 'proven_admin',
  }),
  'stripe.price': setting({
    value: decimal(1),
    label: words('Stripe price of a unit', 'Stripe 单价'),
    help: words(
      'Price of one unit (a dollar of quota) in the currency of Stripe',
      '每单位（一美元额度）以 Stripe 货币计的价格',
    ),
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
    label: words('Worker address', 'Worker 地址'),
    help: words(
      'Images and webhooks are fetched through it: it gets url, key, method, headers and body',
      '图片和 Webhook 经由它访问：向其发送 url、key、method、headers 和 body',
    ),
    card: 'system.worker',
    order: 10,
    writer: 'root',
  }),
  WorkerValidKey: setting({
    value: text(),
    label: words('Worker key', 'Worker 密钥'),
    help: words('Sent to the worker as key', '作为 key 发送给 Worker'),
    card: 'system.worker',
    order: 20,
    writer: 'root',
    secret: true,
    sentTo: ['WorkerUrl'],
  }),
  WorkerAllowHttpImageRequestEnabled: setting({
    value: flag(false),
    label: words('Plain http images through the worker', '允许 Worker 获取 http 图片'),
    help: words('Off: the worker fetches https addresses only', '关闭时 Worker 只访问 https 地址'),
    card: 'system.worker',
    order: 30,
    writer: 'root',
  }),
}
