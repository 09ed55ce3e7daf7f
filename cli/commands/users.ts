// `weir users …`: who has an account.
import { words } from '../../core/errors.ts'
import { amountFlag } from '../amount.ts'
import { command, group } from '../command.ts'
import { quotaText } from '../format.ts'
import { needUser, userView } from '../nouns/user.ts'
import { pageAsked, pageOptions, tellMore } from '../paging.ts'

const USUAL = 50

const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  looks: true,
  gives: { view: userView, many: true },
  summary: words('List users, newest first', '列出用户，最新的在前'),
  options: {
    search: {
      flag: '--search <text>',
      help: words('part of the username, display name or e-mail, or an id', '用户名、显示名称或邮箱的一部分，或编号'),
    },
    group: { flag: '--group <name>', help: words('only users of this group', '仅此分组的用户') },
    ...pageOptions(USUAL),
  },
  async run({ client, print, options }) {
    const slice = pageAsked(options, USUAL)
    const { search, group } = options
    const weir = await client()
    const { items, total } =
      search !== undefined || group !== undefined
        ? await weir.users.search({ ...slice, keyword: search ?? '', group: group ?? '' })
        : await weir.users.list(slice)
    await print.list(items, userView, { empty: words('No users.', '没有用户。') })
    tellMore(print, items.length, total)
  },
})

const show = command({
  name: 'show',
  looks: true,
  gives: { view: userView, many: false },
  summary: words('One user', '查看一个用户'),
  arguments: { user: { spec: '<user>', help: words('id or username', '编号或用户名') } },
  async run({ client, print, args }) {
    const user = await needUser(await client(), args.user)
    await print.one(user, userView, { bare: String(user.id) })
  },
})

const topUp = command({
  name: 'topup',
  gives: { view: userView, many: false },
  summary: words('Add to the balance of a user, or take from it', '增加或减少用户余额'),
  details: words("In dollars: weir users topup alice '$5'", "以美元计：weir users topup alice '$5'"),
  arguments: {
    user: { spec: '<user>', help: words('id or username', '编号或用户名') },
    amount: {
      spec: '<amount>',
      help: words("dollars like '$5', or quota units; below zero takes away", "美元（如 '$5'）或额度单位；负数为扣减"),
    },
  },
  options: { reason: { flag: '--reason <text>', help: words('stands in the ledger', '记入账本的原因') } },
  async run({ client, money, print, args, options }) {
    const amount = amountFlag('<amount>', args.amount)
    const weir = await client()
    const before = await needUser(weir, args.user)
    const shown = await money()
    const quota = before.quota + amount(shown)
    await weir.users.update({ id: before.id, quota, quota_before: before.quota, reason: options.reason })
    await print.done({ ...before, quota }, userView, {
      human: words(
        `The balance of ${before.username} is ${quotaText(quota, shown)}, was ${quotaText(before.quota, shown)}.`,
        `${before.username} 的余额为 ${quotaText(quota, shown)}，原为 ${quotaText(before.quota, shown)}。`,
      ),
      bare: String(before.id),
    })
  },
})

export const users = group({ name: 'users', summary: words('Accounts', '用户'), commands: [list, show, topUp] })
