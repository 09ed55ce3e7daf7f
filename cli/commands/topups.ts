// `weir topups …`: orders of quota at payment services, and what administrators decide about them.
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate, type Words } from '../../core/errors.ts'
import { PAYMENT_METHODS } from '../../core/topups/contract.ts'
import { type TopupOrder, formatHundredths, formatOrderPrice } from '../../core/topups/topup.ts'
import { openInBrowser } from '../browser.ts'
import { command, group, type Command, LIST_COMMAND } from '../command.ts'
import { explainToOrdinaryUser } from '../connection/own-endpoints.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { buildQuestion, parsePositiveNumber, requireFlags, readValueOrInput } from '../input/flags.ts'
import { findByName } from '../nouns/names.ts'
import { refuseEmptyText } from '../nouns/questions.ts'
import { words } from '../texts.ts'
import type { PageQuery } from '../output/paging.ts'
import { listEveryRow, parseRequestedRows, buildPageOptions, printRequestedRows } from '../output/paging.ts'
import { text, type OutputView, count, money, number, time, word } from '../output/view.ts'
import { orderDecision } from '../input/forms.built.ts'

const STATUS = {
  pending: words('pending'),
  success: words('paid'),
  expired: words('expired'),
  cancelled: words('cancelled'),
}

const topupOrderView: OutputView<TopupOrder> = {
  id: count(words('ID'), 1, ({ id }) => id),
  time: time(words('TIME'), 2, (order) => order.create_time),
  user_id: count(words('USER ID'), 2, (order) => order.user_id),
  quota: money(words('QUOTA'), 1, ({ quota }) => quota),
  price: number(words('PRICE'), 1, (order) => order.money / 100, { shown: (order) => formatHundredths(order.money) }),
  currency: text(words('CURRENCY'), 1, ({ currency }) => currency),
  status: word(words('STATUS'), 1, STATUS, ({ status }) => status, {
    tone: ({ status }) => (status === 'success' ? 'good' : status === 'pending' ? 'careful' : 'faint'),
  }),
  provider: text(words('SERVICE'), 3, ({ provider }) => provider),
  method: text(words('METHOD', { context: 'payment' }), 4, ({ method }) => method),
  paid: time(words('PAID', { context: 'time' }), 4, (order) => order.paid_time),
  trade_no: text(words('ORDER'), 5, (order) => order.trade_no, { identifies: 1 }),
  reported: text(words('REPORTED'), 2, ({ reports }) => reports.map(formatOrderPrice).join(', ') || null),
  note: text(words('NOTE'), 6, ({ note }) => note || null, { flexible: true, below: true }),
  provider_trade_no: text(words("SERVICE'S ORDER"), 0, (order) => order.provider_trade_no),
}

const DEFAULT_LIMIT = 50

const order = { spec: '<order>', help: words('number of the order') } as const

const list = command({
  endpoint: 'topups.list',
  ...LIST_COMMAND,
  output: { view: topupOrderView, many: true },
  summary: words("List everybody's orders of quota, newest first"),
  options: {
    own: { flag: '--mine', former: ['--own'], help: words('only your own') },
    review: {
      flag: '--review',
      help: words('only those with reports of payments that were not credited'),
    },
    ...buildPageOptions(DEFAULT_LIMIT),
  },
  async run({ client, print, options }) {
    const range = parseRequestedRows(options, print, DEFAULT_LIMIT)
    const { topups } = await client()
    const fetch = async (query: PageQuery) =>
      options.own
        ? topups.listSelf(query)
        : topups.list({ ...query, ...(options.review ? { needs_review: 'true' } : {}) })
    await printRequestedRows(print, range, fetch, topupOrderView, { empty: words('No orders.') })
  },
})

const show = command({
  endpoint: 'topups.list',
  name: 'show',
  readOnly: true,
  output: { view: topupOrderView, many: false },
  summary: words('Show an order of quota: its amount, its state and its reports'),
  arguments: { order },
  async run({ client, print, args }) {
    const weir = await client()
    const found = await findByName({
      name: args.order,
      rows: await listEveryRow(async (cursor) => {
        const { items, next_cursor } = await weir.topups.list({ page_size: 100, cursor })
        return { data: items, next_cursor }
      }),
      getNames: ({ trade_no }) => [trade_no],
      describe: ({ id }) => String(id),
      missing: words('No order has the number "{name}": see `weir topups`.'),
      explainMissing: (problem) => explainToOrdinaryUser(weir, problem),
      several: words('Several orders have the number "{name}": {ids}.'),
      kind: 'topup',
    })
    await print.one(found, topupOrderView, { quietOutput: found.trade_no })
  },
})

interface Decision {
  summary: Words
  details: Words
  confirmation: { what: Words; question: Words }
  done: Words
  run(weir: WeirClient, trade_no: string, reason: string): Promise<TopupOrder>
}

const DECISIONS: Readonly<Record<'complete' | 'cancel', Decision>> = {
  complete: {
    summary: words('Complete a pending or expired order: credits what was ordered, once'),
    details: words(
      'Use it when the money has arrived but no matching report has. A later report is not credited again.',
    ),
    confirmation: {
      what: words('complete'),
      question: words('Complete order {order}? The ordered amount is credited.'),
    },
    done: words('Completed order {order}.'),
    run: (weir, trade_no, reason) => weir.topups.complete({ trade_no, reason }),
  },
  cancel: {
    summary: words('Cancel a pending or expired order for good'),
    details: words('A later report of its payment is stored with the order and not credited.'),
    confirmation: {
      what: words('cancel'),
      question: words('Cancel order {order}? Later reports of its payment are not credited.'),
    },
    done: words('Cancelled order {order}.'),
    run: (weir, trade_no, reason) => weir.topups.cancel({ trade_no, reason }),
  },
}

const ORDER = words('Order {order}')
const reasonQuestion = buildQuestion(orderDecision, 'reason', { check: refuseEmptyText })

const decisions = Object.entries(DECISIONS).map(([name, { summary, details, confirmation, done, run }]): Command =>
  command({
    endpoint: `topups.${name as keyof typeof DECISIONS}`,
    name,
    output: { view: topupOrderView, many: false },
    summary,
    details,
    arguments: { order },
    options: {
      reason: {
        flag: '--reason <text>',
        help: words('why; stands at the order and in the audit'),
      },
      yes: { flag: '--yes', help: words('do not ask') },
    },
    async run({ client, print, ask, args, options }) {
      const sure = requireConfirmation(ask, options.yes, confirmation.what)
      const title = fillTemplate(ORDER, { order: args.order })
      const { reason = '' } =
        options.reason === undefined ? await ask.form(title, [reasonQuestion], '--reason') : options
      const weir = await client()
      await sure(fillTemplate(confirmation.question, { order: args.order }))
      const decided = await run(weir, args.order, reason)
      await print.done(decided, topupOrderView, {
        human: fillTemplate(done, { order: args.order }),
        quietOutput: decided.trade_no,
      })
    },
  }),
)

const buyOptions = {
  method: {
    flag: '--method <zfb|wx|stripe>',
    help: words('how to pay: zfb or wx at Epay, or stripe (default: zfb)'),
    choices: PAYMENT_METHODS,
  },
} as const

const bought = {
  spec: '<amount>',
  help: words('how much quota to buy, in the unit that the site shows'),
} as const

type PaymentMethod = (typeof PAYMENT_METHODS)[number]

const toOrder = (amount: string, method: string | undefined) => ({
  amount: parsePositiveNumber('<amount>', amount),
  payment_method: (method ?? 'zfb') as PaymentMethod,
})

const price = command({
  endpoint: 'topups.amount',
  name: 'price',
  readOnly: true,
  summary: words('Show the price of quota'),
  arguments: { amount: bought },
  options: buyOptions,
  async run({ client, print, args, options }) {
    const { data } = await (await client()).topups.amount(toOrder(args.amount, options.method))
    await print.text(data, Number(data))
  },
})

interface StartedOrder {
  url: string
}

const startedOrderView: OutputView<StartedOrder> = {
  url: text(words('PAYMENT PAGE'), 1, ({ url }) => url),
}

const buy = command({
  endpoint: 'topups.pay',
  name: 'buy',
  output: { view: startedOrderView, many: false },
  summary: words('Order quota for yourself, and print the page where it is paid'),
  arguments: { amount: bought },
  options: buyOptions,
  async run({ client, print, args, options, env }) {
    const { data, url: page = '' } = await (await client()).topups.pay(toOrder(args.amount, options.method))
    // A payment service that expects a form takes its fields in the address, too.
    const address = new URL(page)
    if (typeof data === 'object')
      for (const [name, value] of Object.entries(data)) address.searchParams.set(name, value)
    const url = address.href
    const isOpened = print.form === 'human' && (await openInBrowser(url, env))
    await print.done({ url }, startedOrderView, {
      human: fillTemplate(isOpened ? OPENED : PAY_AT, { url }),
      quietOutput: url,
    })
  },
})

const PAY_AT = words('Pay here: {url}')
const OPENED = words('Opened in your browser: {url}')

interface VerifiedReport {
  trade_no: string | null
  money: string
  currency: string
}

const verifiedReportView: OutputView<VerifiedReport> = {
  trade_no: text(words('ORDER'), 1, (report) => report.trade_no),
  money: text(words('PAID', { context: 'amount' }), 1, (report) => report.money),
  currency: text(words('CURRENCY'), 1, ({ currency }) => currency),
}

const verify = command({
  endpoint: 'topups.verifyNotice',
  name: 'verify-report',
  readOnly: true,
  output: { view: verifiedReportView, many: false },
  summary: words('Check a report of a payment service with the keys that are set; nothing is credited'),
  details: words('weir topups verify-report --service epay --report - < query.txt'),
  options: {
    service: { flag: '--service <epay|stripe>', help: words('who sent it'), choices: ['epay', 'stripe'] },
    report: {
      flag: '--report <text>',
      help: words('for Epay the query string, for Stripe the body; - reads it from standard input'),
    },
    signature: { flag: '--signature <text>', help: words('for Stripe the Stripe-Signature header') },
  },
  async run({ client, print, options, readInput }) {
    requireFlags({ '--service': options.service, '--report': options.report })
    const report = ((await readValueOrInput(options.report, readInput)) ?? '').replace(/\n$/, '')
    const service = options.service as 'epay' | 'stripe'
    const found = await (await client()).topups.verifyNotice({ service, report, signature: options.signature ?? '' })
    await print.one(found, verifiedReportView, { quietOutput: found.trade_no ?? '' })
  },
})

const note = command({
  endpoint: 'topups.note',
  name: 'note',
  output: { view: topupOrderView, many: false },
  summary: words('Note something at an order for other administrators; its reports count as reviewed'),
  arguments: {
    order,
    text: { spec: '<text>', help: words('the note; empty removes the one before') },
  },
  async run({ client, print, args }) {
    const weir = await client()
    const noted = await weir.topups.note({ trade_no: args.order, note: args.text })
    await print.done(noted, topupOrderView, {
      human: fillTemplate(words('Noted at order {order}.'), { order: args.order }),
      quietOutput: noted.trade_no,
    })
  },
})

export const topupsCommand = group({
  name: 'topups',
  summary: words('Orders of quota at payment services'),
  commands: [list, show, price, buy, ...decisions, note, verify],
})
