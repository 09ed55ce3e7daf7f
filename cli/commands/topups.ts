// `weir topups …`: orders of quota at payment services.
import { words } from '../../core/errors.ts'
import { command, group } from '../command.ts'
import { topupView } from '../nouns/topup.ts'
import { pageAsked, pageOptions, tellMore } from '../paging.ts'

const DEFAULT_LIMIT = 50

const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  readOnly: true,
  output: { view: topupView, many: true },
  summary: words("List everybody's orders of quota, newest first", '列出所有人的充值订单，最新的在前'),
  options: {
    own: { flag: '--own', help: words('only those of who asks', '仅自己的订单') },
    ...pageOptions(DEFAULT_LIMIT),
  },
  async run({ client, print, options }) {
    const slice = pageAsked(options, DEFAULT_LIMIT)
    const { topups } = await client()
    const { items, total } = await (options.own ? topups.listSelf(slice) : topups.list(slice))
    await print.list(items, topupView, { empty: words('No orders.', '没有订单。') })
    tellMore(print, items.length, total)
  },
})

export const topups = group({
  name: 'topups',
  summary: words('Orders of quota at payment services', '在支付服务的充值订单'),
  commands: [list],
})
