// Prices of models, models without a price, and former prices.
import type { WeirClient } from '../../../core/contracts.ts'
import { fillTemplate } from '../../../core/errors.ts'
import { DOLLAR_PRICE_NAMES } from '../../../core/prices/dollars.ts'
import { command, LIST_COMMAND } from '../../command.ts'
import { requireConfirmation } from '../../input/confirm.ts'
import { findRefusal, GatewayRefusal, UsageError } from '../../failure.ts'
import { parseId } from '../../input/flags.ts'
import { findChannelId } from '../../nouns/channel.ts'
import { listServedModels, warnUnknownModel, suggestNames } from '../../nouns/names.ts'
import { dollarPriceFlags, listPriceChanges, parseUsd } from '../../nouns/price-form.ts'
import { changeView, missingPriceView, modelPriceView, toOwnPrice } from '../../nouns/price.ts'
import { parseRequestedRows, buildPageOptions, printRequestedRows, type PageQuery } from '../../output/paging.ts'
import { text, type OutputView } from '../../output/view.ts'
import { words } from '../../texts.ts'

const DEFAULT_LIMIT = 20

export const listCommand = command({
  endpoint: 'prices.list',
  ...LIST_COMMAND,
  output: { view: modelPriceView, many: true },
  summary: words('List what models cost, in dollars, and where each price comes from'),
  options: {
    search: { flag: '--search <text>', help: words('part of the name') },
    all: { flag: '--all', help: words('also models that are not served') },
    bought: { flag: '--bought', help: words('purchase prices') },
  },
  async run({ client, print, options: { search, all, bought } }) {
    const weir = await client()
    const query = { keyword: search ?? '', ...(all ? { all: 'true' } : {}), ...(bought ? { bought: 'true' } : {}) }
    await print.list(await weir.prices.list(query), modelPriceView, { empty: NO_PRICES })
  },
  own: {
    options: ['search'],
    async run({ client, print, options: { search = '' } }) {
      const { data } = await (await client()).pricing.list()
      const found = data.filter(({ model_name }) => model_name.toLowerCase().includes(search.toLowerCase()))
      await print.list(found.map(toOwnPrice), modelPriceView, { empty: NO_PRICES })
    },
  },
})

const NO_PRICES = words('No prices.')

export const missingCommand = command({
  endpoint: 'prices.missing',
  name: 'missing',
  readOnly: true,
  output: { view: missingPriceView, many: true },
  summary: words('List models without a price that channels serve or somebody called'),
  async run({ client, print }) {
    await print.list(await (await client()).prices.missing(), missingPriceView, {
      empty: words('Every model has a price.'),
    })
  },
})

export const historyCommand = command({
  endpoint: 'prices.history',
  name: 'history',
  readOnly: true,
  output: { view: changeView, many: true },
  summary: words('List what prices were and became, newest first'),
  arguments: { model: { spec: '[model]', help: words('only of this model') } },
  options: buildPageOptions(DEFAULT_LIMIT),
  async run({ client, print, args, options }) {
    const range = parseRequestedRows(options, print, DEFAULT_LIMIT)
    const { prices } = await client()
    const fetch = async ({ p, page_size }: PageQuery) => prices.history({ p, page_size, model: args.model ?? '' })
    await printRequestedRows(print, range, fetch, changeView, { empty: words('No price was changed yet.') })
  },
})

// Setting, removing and restoring prices, one model at a time.

/** The setting that `weir prices reset` sets back. */
const RESET_SETTING = 'ModelRatio'
const resetView: OutputView<{ setting: string }> = {
  setting: text(words('SETTING'), 1, ({ setting }) => setting),
}

const model = { spec: '<model>', help: words('name of the model') } as const
const channel = {
  flag: '--channel <channel>',
  help: words('the purchase price: from this channel, by id or name, or from type:NUMBER (default: the sales price)'),
} as const

export const resetCommand = command({
  endpoint: 'settings.resetPrices',
  name: 'reset',
  output: { view: resetView, many: false },
  summary: words('Set the model ratios back to the built-in ones'),
  details: words('Prices by call, ratios of output, and every other price table stay as they are.'),
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, options }) {
    const sure = requireConfirmation(ask, options.yes, words('reset prices'))
    const { settings } = await client()
    await sure(words('Set all model ratios back to the built-in ones? Your own ratios are lost.'))
    await settings.resetPrices()
    await print.done({ setting: RESET_SETTING }, resetView, {
      human: words('The model ratios are the built-in ones.'),
      quietOutput: RESET_SETTING,
    })
  },
})

/** Returns where a price is paid, as prices name it: the id of a channel, `type:NUMBER`, or nothing for the sold price. */
const findSupplier = async (weir: WeirClient, name = ''): Promise<string> =>
  name === '' || name.startsWith('type:') ? name : String(await findChannelId(weir, name))

export const setCommand = command({
  endpoint: 'prices.set',
  name: 'set',
  output: { view: modelPriceView, many: false },
  summary: words('Set the price of a model, in dollars; what is left out keeps its share of the input price'),
  details: words('weir prices set gpt-4.1-mini --input 0.4 --output 1.6'),
  arguments: { model },
  options: { ...dollarPriceFlags, channel },
  async run({ client, print, args, options }) {
    const given = DOLLAR_PRICE_NAMES.filter((name) => options[name] !== undefined)
    if (given.length === 0) throw new UsageError(words('Nothing to set: give --input, --output or --call.'))
    const usd = Object.fromEntries(given.map((name) => [name, parseUsd(name, options[name] ?? '')]))
    const weir = await client()
    const channel = await findSupplier(weir, options.channel)
    const kind = channel === '' ? { all: 'true' } : { bought: 'true' }
    const rows = await weir.prices.list({ keyword: args.model, ...kind })
    const before = rows.find((each) => each.model === args.model && each.channel === channel)
    const row = await weir.prices.set({ model: args.model, channel, usd })
    const changes = listPriceChanges(before, row)
    warnUnknownModel(print, args.model, await listServedModels(weir))
    await print.done(row, modelPriceView, {
      human: fillTemplate(PRICE_SET, { model: args.model, changes }),
      quietOutput: args.model,
    })
  },
})

const PRICE_SET = words('The price of {model} is set and in effect.{changes}')

export const removeCommand = command({
  endpoint: 'prices.remove',
  name: 'rm',
  aliases: ['delete'],
  output: { view: modelPriceView, many: false },
  summary: words('Remove the separate price of a model'),
  arguments: { model },
  options: { channel, yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    await sure(fillTemplate(words('Remove the price of {model}?'), { model: args.model }))
    const row = await weir.prices
      .remove({ model: args.model, channel: await findSupplier(weir, options.channel) })
      .catch((error: unknown) => suggestPricedModel(weir, args.model, error))
    await print.done(row, modelPriceView, {
      human: fillTemplate(words('{model} no longer has its own price.'), { model: args.model }),
      quietOutput: args.model,
    })
  },
})

/** Throws the refusal with the models that have an own price and were probably meant. */
async function suggestPricedModel(weir: WeirClient, model: string, error: unknown): Promise<never> {
  const refusal = findRefusal(error)
  if (refusal?.code !== 'prices.missing') throw error
  const priced = (await weir.prices.list({ all: 'true' })).filter(({ source }) => source === 'own')
  throw new GatewayRefusal(
    suggestNames(
      refusal.text,
      model,
      priced.map((row) => row.model),
    ),
    refusal.code,
  )
}

export const undoCommand = command({
  endpoint: 'prices.undo',
  name: 'undo',
  output: { view: modelPriceView, many: false },
  summary: words('Restore the price that a model had before a change'),
  details: words(
    'Refused if the price was changed again since then: undo that change first, or use --force. `weir prices history` keeps all of them.',
  ),
  arguments: {
    change: {
      spec: '<change>',
      help: words('id of the change, see `weir prices history`'),
    },
  },
  options: {
    force: { flag: '--force', help: words('even if the price has changed again since') },
    yes: { flag: '--yes', help: words('do not ask') },
  },
  async run({ client, print, ask, args, options }) {
    const change = parseId(args.change)
    const sure = requireConfirmation(ask, options.yes, words('change a price'))
    const weir = await client()
    await sure(fillTemplate(words('Restore the price from before change {change}?'), { change }))
    const row = await weir.prices.undo({ change, force: options.force === true })
    await print.done(row, modelPriceView, {
      human: fillTemplate(words('{model} costs what it did before change {change}.'), { model: row.model, change }),
      quietOutput: row.model,
    })
  },
})
