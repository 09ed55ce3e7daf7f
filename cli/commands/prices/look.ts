// Prices of models, models without a price, and former prices.
import { fillTemplate, words } from '../../../core/errors.ts'
import { DOLLARS } from '../../../core/prices/dollars.ts'
import { command } from '../../command.ts'
import { requireConfirmation } from '../../confirm.ts'
import { UsageError } from '../../failure.ts'
import { parseId } from '../../flags.ts'
import { dollarFlags, listPriceChanges, parseUsd } from '../../nouns/price-form.ts'
import { changeView, missingView, priceView } from '../../nouns/price.ts'
import { pageAsked, pageOptions, tellMore } from '../../paging.ts'

const DEFAULT_LIMIT = 20

export const ls = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  readOnly: true,
  output: { view: priceView, many: true },
  summary: words('List what models cost, in dollars, and where each price comes from', '列出模型价格（美元）及其来源'),
  options: {
    search: { flag: '--search <text>', help: words('part of the name', '名称的一部分') },
    all: { flag: '--all', help: words('also models that are not served', '包括没有渠道的模型') },
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
  readOnly: true,
  output: { view: missingView, many: true },
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
  readOnly: true,
  output: { view: changeView, many: true },
  summary: words('List what prices were and became, newest first', '列出价格变动，最新的在前'),
  arguments: { model: { spec: '[model]', help: words('only of this model', '仅此模型') } },
  options: pageOptions(DEFAULT_LIMIT),
  async run({ client, print, args, options }) {
    const slice = pageAsked(options, DEFAULT_LIMIT)
    const { items, total } = await (await client()).prices.history({ ...slice, model: args.model ?? '' })
    await print.list(items, changeView, { empty: words('No price was changed yet.', '价格尚未变动。') })
    tellMore(print, items.length, total)
  },
})

// Setting, removing and restoring prices, one model at a time.

const model = { spec: '<model>', help: words('name of the model', '模型名称') } as const
const channel = {
  flag: '--channel <id>',
  help: words(
    'what it costs to buy: from this channel, or from type:NUMBER; otherwise what it is sold at',
    '采购价：来自此渠道，或 type:编号；不填则为售价',
  ),
} as const

export const set = command({
  name: 'set',
  output: { view: priceView, many: false },
  summary: words(
    'Set the price of a model, in dollars; what is left out keeps its share of the input price',
    '设置模型价格（美元）；未给出的部分保持与输入价格的比例',
  ),
  details: words(
    'weir prices set gpt-4.1-mini --input 0.4 --output 1.6',
    'weir prices set gpt-4.1-mini --input 0.4 --output 1.6',
  ),
  arguments: { model },
  options: { ...dollarFlags, channel },
  async run({ client, print, args, options }) {
    const given = DOLLARS.filter((name) => options[name] !== undefined)
    if (given.length === 0)
      throw new UsageError(
        words(
          'Nothing to set: give --input, --output or --call.',
          '没有要设置的内容：请给出 --input、--output 或 --call。',
        ),
      )
    const usd = Object.fromEntries(given.map((name) => [name, parseUsd(name, options[name] ?? '')]))
    const { channel = '' } = options
    const weir = await client()
    const kind = channel === '' ? { all: 'true' } : { bought: 'true' }
    const rows = await weir.prices.list({ keyword: args.model, ...kind })
    const before = rows.find((each) => each.model === args.model && each.channel === channel)
    const row = await weir.prices.set({ model: args.model, channel, usd })
    const changes = listPriceChanges(before, row)
    await print.done(row, priceView, {
      human: fillTemplate(PRICE_SET, { model: args.model, changes }),
      bare: args.model,
    })
  },
})

const PRICE_SET = words('The price of {model} is set and in effect.{changes}', '{model} 的价格已设置并生效。{changes}')

export const remove = command({
  name: 'rm',
  aliases: ['delete'],
  output: { view: priceView, many: false },
  summary: words("Take out a model's own price", '移除模型自定的价格'),
  arguments: { model },
  options: { channel, yes: { flag: '--yes', help: words('do not ask', '不再询问') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    await sure(words(`Take out the price of ${args.model}?`, `移除 ${args.model} 的价格？`))
    const row = await weir.prices.remove({ model: args.model, channel: options.channel ?? '' })
    await print.done(row, priceView, {
      human: words(`${args.model} no longer has its own price.`, `${args.model} 不再有自定价格。`),
      bare: args.model,
    })
  },
})

export const undo = command({
  name: 'undo',
  output: { view: priceView, many: false },
  summary: words('Give a model the price that it had before a change', '将模型恢复到某次变动之前的价格'),
  details: words(
    'Refused if the price was changed again since then: undo that change first, or use --force. `weir prices history` keeps all of them.',
    '若此后又有变动则拒绝：请先撤销较新的变动，或使用 --force。`weir prices history` 保留全部变动。',
  ),
  arguments: {
    change: {
      spec: '<change>',
      help: words('id of the change, see `weir prices history`', '变动编号，见 `weir prices history`'),
    },
  },
  options: {
    force: { flag: '--force', help: words('also over later changes', '即使此后又有变动') },
    yes: { flag: '--yes', help: words('do not ask', '不再询问') },
  },
  async run({ client, print, ask, args, options }) {
    const change = parseId(args.change)
    const sure = requireConfirmation(ask, options.yes, words('change a price', '更改价格'))
    const weir = await client()
    await sure(
      words(
        `Give the model of change ${change} the price back that it had before?`,
        `将变动 ${change} 的模型恢复为之前的价格？`,
      ),
    )
    const row = await weir.prices.undo({ change, force: options.force === true })
    await print.done(row, priceView, {
      human: words(
        `${row.model} costs what it did before change ${change}.`,
        `${row.model} 已恢复为变动 ${change} 之前的价格。`,
      ),
      bare: row.model,
    })
  },
})
