// What models cost, which have no price, and what prices were.
import { words } from '../../../core/errors.ts'
import { command } from '../../command.ts'
import { changeView, missingView, priceView } from '../../nouns/price.ts'
import { pageAsked, pageOptions, tellMore } from '../../paging.ts'

const USUAL = 20

export const ls = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  looks: true,
  gives: { view: priceView, many: true },
  summary: words('List what models cost, in dollars, and where each price comes from', '列出模型价格（美元）及其来源'),
  options: {
    search: { flag: '--search <text>', help: words('part of the name', '名称的一部分') },
    all: { flag: '--all', help: words('also models that nobody serves', '包括没有渠道的模型') },
    bought: { flag: '--bought', help: words('what they cost to buy', '采购价') },
  },
  async run({ client, print, options: { search, all, bought } }) {
    const weir = await client()
    const query = { keyword: search ?? '', ...(all ? { all: 'true' } : {}), ...(bought ? { bought: 'true' } : {}) }
    await print.list(await weir.prices.list(query), priceView, {
      empty: words('No prices.', '没有价格。'),
    })
  },
})

export const missing = command({
  name: 'missing',
  looks: true,
  gives: { view: missingView, many: true },
  summary: words(
    'List models without a price that channels serve or somebody called',
    '列出有渠道或被调用但没有价格的模型',
  ),
  async run({ client, print }) {
    await print.list(await (await client()).prices.missing(), missingView, {
      empty: words('Every model has a price.', '所有模型都有价格。'),
    })
  },
})

export const history = command({
  name: 'history',
  looks: true,
  gives: { view: changeView, many: true },
  summary: words('List what prices were and became, newest first', '列出价格变动，最新的在前'),
  arguments: { model: { spec: '[model]', help: words('only of this model', '仅此模型') } },
  options: pageOptions(USUAL),
  async run({ client, print, args, options }) {
    const slice = pageAsked(options, USUAL)
    const { items, total } = await (await client()).prices.history({ ...slice, model: args.model ?? '' })
    await print.list(items, changeView, { empty: words('No price was changed yet.', '价格尚未变动。') })
    tellMore(print, items.length, total)
  },
})
