// Prices set and taken out, one model at a time, and taken back.
import { words } from '../../../core/errors.ts'
import { Dollars } from '../../../core/prices/dollars.ts'
import { command } from '../../command.ts'
import { Refusal, UsageError } from '../../failure.ts'
import { idOf } from '../../input.ts'
import { priceView } from '../../nouns/price.ts'
import { needSure } from '../../sure.ts'

const model = { spec: '<model>', help: words('name of the model', '模型名称') } as const
const channel = {
  flag: '--channel <id>',
  help: words(
    'what it costs to buy: from this channel, or from type:NUMBER; otherwise what it is sold at',
    '采购价：来自此渠道，或 type:编号；不填则为售价',
  ),
} as const

/** One flag for each price in dollars: `--cache-read <dollars>`. */
const NAMES = Object.keys(Dollars.shape) as (keyof Dollars)[]
const flagName = (name: string) => `--${name.replaceAll('_', '-')}`
const HELPS: Record<keyof Dollars, ReturnType<typeof words>> = {
  input: words('dollars per 1M tokens of the prompt', '每 100 万输入 token 的美元价格'),
  output: words('dollars per 1M tokens of the answer', '每 100 万输出 token 的美元价格'),
  cache_read: words('dollars per 1M tokens read from a cache', '每 100 万缓存读取 token 的美元价格'),
  cache_write: words('dollars per 1M tokens written to a cache', '每 100 万缓存写入 token 的美元价格'),
  cache_write_1h: words('the same for an hour', '同上，缓存一小时'),
  image_input: words('dollars per 1M tokens of pictures', '每 100 万图片 token 的美元价格'),
  audio_input: words('dollars per 1M tokens of sound heard', '每 100 万音频输入 token 的美元价格'),
  audio_output: words('dollars per 1M tokens of sound spoken', '每 100 万音频输出 token 的美元价格'),
  call: words('dollars per call or picture, in place of tokens', '每次调用或每张图片的美元价格，代替按 token 计价'),
  video: words('dollars per second of video', '每秒视频的美元价格'),
}
const flags = Object.fromEntries(
  NAMES.map((name) => [name, { flag: `${flagName(name)} <dollars>`, help: HELPS[name] }]),
) as Record<keyof Dollars, { flag: `--${string} <dollars>`; help: ReturnType<typeof words> }>

function usdOf(name: keyof Dollars, typed: string): number {
  const value = Number(typed.replace(/^\$/, ''))
  if (typed.trim() !== '' && Number.isFinite(value) && value >= 0) return value
  const flag = flagName(name)
  throw new UsageError(
    words(`${flag} must be dollars like 2.50, not "${typed}".`, `${flag} 须为美元金额，如 2.50，而不是 "${typed}"。`),
  )
}

export const set = command({
  name: 'set',
  gives: { view: priceView, many: false },
  summary: words(
    'Set the price of a model, in dollars; what is left out stays',
    '设置模型价格（美元）；未给出的部分不变',
  ),
  details: words(
    'weir prices set gpt-4.1-mini --input 0.4 --output 1.6',
    'weir prices set gpt-4.1-mini --input 0.4 --output 1.6',
  ),
  arguments: { model },
  options: { ...flags, channel },
  async run({ client, print, args, options }) {
    const given = NAMES.filter((name) => options[name] !== undefined)
    if (given.length === 0)
      throw new UsageError(
        words(
          'Nothing to set: give --input, --output or --call.',
          '没有要设置的内容：请给出 --input、--output 或 --call。',
        ),
      )
    const usd = Object.fromEntries(given.map((name) => [name, usdOf(name, options[name] ?? '')]))
    const row = await (await client()).prices.set({ model: args.model, channel: options.channel ?? '', usd })
    await print.done(row, priceView, {
      human: words(`The price of ${args.model} is set; it is live at once.`, `${args.model} 的价格已设置，立即生效。`),
      bare: args.model,
    })
  },
})

export const remove = command({
  name: 'rm',
  aliases: ['delete'],
  gives: { view: priceView, many: false },
  summary: words("Take out a model's own price", '移除模型自定的价格'),
  arguments: { model },
  options: { channel, yes: { flag: '--yes', help: words('do not ask', '不再询问') } },
  async run({ client, print, ask, args, options }) {
    const sure = needSure(ask, options.yes)
    const weir = await client()
    await sure(words(`Take out the price of ${args.model}?`, `移除 ${args.model} 的价格？`))
    const row = await weir.prices.remove({ model: args.model, channel: options.channel ?? '' })
    await print.done(row, priceView, {
      human: words(`${args.model} has no price of its own any more.`, `${args.model} 不再有自定价格。`),
      bare: args.model,
    })
  },
})

const LONGEST_HISTORY = 100

export const undo = command({
  name: 'undo',
  gives: { view: priceView, many: false },
  summary: words('Give a model the price that it had before a change', '将模型恢复到某次变动之前的价格'),
  arguments: {
    change: {
      spec: '<change>',
      help: words('id of the change, see `weir prices history`', '变动编号，见 `weir prices history`'),
    },
  },
  options: { yes: { flag: '--yes', help: words('do not ask', '不再询问') } },
  async run({ client, print, ask, args, options }) {
    const id = idOf(args.change)
    const sure = needSure(ask, options.yes, words('change a price', '更改价格'))
    const weir = await client()
    const { items } = await weir.prices.history({ page_size: LONGEST_HISTORY })
    const change = items.find((one) => one.id === id)
    if (!change)
      throw new Refusal(
        words(
          `There is no change ${id} among the last ${LONGEST_HISTORY}.`,
          `最近 ${LONGEST_HISTORY} 次变动中没有 ${id}。`,
        ),
        'prices.change_missing',
      )
    const { model: name, channel: from } = change
    await sure(words(`Give ${name} the price back that it had before?`, `将 ${name} 恢复为之前的价格？`))
    const rows = await weir.prices.apply({
      source: `undo ${id}`,
      changes: [{ model: name, channel: from, price: change.from }],
    })
    await print.done(rows[0]!, priceView, {
      human: words(`${name} costs what it did before.`, `${name} 已恢复之前的价格。`),
      bare: name,
    })
  },
})
