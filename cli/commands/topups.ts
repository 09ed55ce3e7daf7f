// `weir topups …`: orders of quota at payment services, and what administrators decide about them.
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate, words, type Words } from '../../core/errors.ts'
import { OrderDecision } from '../../core/topups/contract.ts'
import type { TopUp } from '../../core/topups/topup.ts'
import { command, group, type Command } from '../command.ts'
import { requireConfirmation } from '../confirm.ts'
import { buildQuestion } from '../flags.ts'
import { filledIn } from '../nouns/questions.ts'
import { topupView } from '../nouns/topup.ts'
import { pageAsked, pageOptions, tellMore } from '../paging.ts'

const DEFAULT_LIMIT = 50

const order = { spec: '<order>', help: words('number of the order', '订单号') } as const

const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  readOnly: true,
  output: { view: topupView, many: true },
  summary: words("List everybody's orders of quota, newest first", '列出所有人的充值订单，最新的在前'),
  options: {
    own: { flag: '--own', help: words('only those of who asks', '仅自己的订单') },
    review: {
      flag: '--review',
      help: words('only those with reports of payments that were not credited', '仅有未入账支付通知待核查的订单'),
    },
    ...pageOptions(DEFAULT_LIMIT),
  },
  async run({ client, print, options }) {
    const slice = pageAsked(options, DEFAULT_LIMIT)
    const { topups } = await client()
    const { items, total } = await (options.own
      ? topups.listSelf(slice)
      : topups.list({ ...slice, ...(options.review ? { needs_review: 'true' } : {}) }))
    await print.list(items, topupView, { empty: words('No orders.', '没有订单。') })
    tellMore(print, items.length, total)
  },
})

interface Decision {
  summary: Words
  details: Words
  confirmation: { what: Words; question: Words }
  done: Words
  run(weir: WeirClient, trade_no: string, reason: string): Promise<TopUp>
}

const DECISIONS: Readonly<Record<'complete' | 'cancel', Decision>> = {
  complete: {
    summary: words(
      'Complete a pending or expired order: credits what was ordered, once',
      '为待支付或已过期的订单补单：按订单入账，仅一次',
    ),
    details: words(
      'Use it when the money has arrived but no matching report has. A later report is not credited again.',
      '用于款项已到账但未收到相符通知的订单。之后收到的通知不会重复入账。',
    ),
    confirmation: {
      what: words('complete', '补单'),
      question: words('Complete order {order}? The ordered amount is credited.', '为订单 {order} 补单？将按订单入账。'),
    },
    done: words('Completed order {order}.', '已为订单 {order} 补单。'),
    run: (weir, trade_no, reason) => weir.topups.complete({ trade_no, reason }),
  },
  cancel: {
    summary: words('Cancel a pending or expired order for good', '永久取消待支付或已过期的订单'),
    details: words(
      'A later report of its payment is stored with the order and not credited.',
      '之后收到的支付通知会记录在订单中，但不入账。',
    ),
    confirmation: {
      what: words('cancel', '取消'),
      question: words(
        'Cancel order {order}? Later reports of its payment are not credited.',
        '取消订单 {order}？之后收到的支付通知不再入账。',
      ),
    },
    done: words('Cancelled order {order}.', '已取消订单 {order}。'),
    run: (weir, trade_no, reason) => weir.topups.cancel({ trade_no, reason }),
  },
}

const ORDER = words('Order {order}', '订单 {order}')
const reasonQuestion = buildQuestion(OrderDecision, 'reason', { check: filledIn })

const decisions = Object.entries(DECISIONS).map(([name, { summary, details, confirmation, done, run }]): Command =>
  command({
    name,
    output: { view: topupView, many: false },
    summary,
    details,
    arguments: { order },
    options: {
      reason: {
        flag: '--reason <text>',
        help: words('why; stands at the order and in the audit', '原因；记入订单与审计'),
      },
      yes: { flag: '--yes', help: words('do not ask', '不再询问') },
    },
    async run({ client, print, ask, args, options }) {
      const sure = requireConfirmation(ask, options.yes, confirmation.what)
      const title = fillTemplate(ORDER, { order: args.order })
      const { reason = '' } =
        options.reason === undefined ? await ask.form(title, [reasonQuestion], '--reason') : options
      const weir = await client()
      await sure(fillTemplate(confirmation.question, { order: args.order }))
      const decided = await run(weir, args.order, reason)
      await print.done(decided, topupView, {
        human: fillTemplate(done, { order: args.order }),
        bare: decided.trade_no,
      })
    },
  }),
)

const note = command({
  name: 'note',
  output: { view: topupView, many: false },
  summary: words(
    'Note something at an order for other administrators; its reports count as reviewed',
    '为订单添加仅管理员可见的备注；其支付通知视为已核查',
  ),
  arguments: {
    order,
    text: { spec: '<text>', help: words('the note; empty removes the one before', '备注；留空则删除原备注') },
  },
  async run({ client, print, args }) {
    const weir = await client()
    const noted = await weir.topups.note({ trade_no: args.order, note: args.text })
    await print.done(noted, topupView, {
      human: fillTemplate(words('Noted at order {order}.', '已为订单 {order} 添加备注。'), { order: args.order }),
      bare: noted.trade_no,
    })
  },
})

export const topups = group({
  name: 'topups',
  summary: words('Orders of quota at payment services', '在支付服务的充值订单'),
  commands: [list, ...decisions, note],
})
