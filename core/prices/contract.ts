import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { field } from '../contract/field.ts'
import { queryFlag } from '../contract/flag.ts'
import { namedSchemas } from '../contract/named-schemas.ts'
import { pageOf, pageQuery } from '../contract/page.ts'
import { words } from '../errors.ts'
import { PriceLine, ShownPrice } from '../pricing/contract.ts'
import { PriceFields } from '../settings/channel-price.ts'
import { PriceChange } from '../settings/price-change.ts'
import { LIST_KINDS, SKIP_REASONS } from './catalogue.ts'
import { STATUSES } from './difference.ts'
import { Dollars, DOLLARS } from './dollars.ts'
import { LINE_SOURCES, PRICE_SOURCES } from './price-rows.ts'

namedSchemas.add(PriceFields, { id: 'PriceFields' })

const PriceRow = z.object({
  model: z.string(),
  channel: z.string(),
  source: z.enum(PRICE_SOURCES),
  /** The name that it is priced as, where that is another's. */
  as: z.string(),
  served: z.boolean(),
  version: z.string(),
  price: ShownPrice.nullable(),
  prices: z.array(PriceLine.extend({ set_by: z.enum(LINE_SOURCES) })),
  /** What is said of it, or of the one that it is priced as, in dollars and as it is kept; the rest follows rules. */
  dollars: z.partialRecord(z.enum(DOLLARS), z.number()),
  said: ShownPrice,
})

const ShownChange = PriceChange.omit({ before: true, after: true }).extend({
  from: ShownPrice.nullable(),
  to: ShownPrice.nullable(),
  was: z.array(PriceLine),
  became: z.array(PriceLine),
})

/** Quota units. */
const bills = { users: z.number(), calls: z.number(), charged: z.number(), would_charge: z.number() }

const Difference = z.object({
  model: z.string(),
  status: z.enum(STATUSES),
  version: z.string(),
  served: z.boolean(),
  /** What the catalogue calls it, where that is another name. */
  as: z.string(),
  provider: z.string(),
  date: z.string(),
  /** Which components of the price, and which kinds of tiers. */
  differs: z.array(z.string()),
  now: z.array(PriceLine),
  there: z.array(PriceLine),
  /** What would be stored. */
  to: ShownPrice.nullable(),
  context: z.number(),
  longest: z.number(),
  reads: z.array(z.string()),
  writes: z.array(z.string()),
  ...bills,
})

const model = field(z.string().min(1).max(200), {
  label: words('Model', '模型'),
  help: words('Name of the model, as callers ask for it', '模型名称，与调用方请求的名称一致'),
  example: 'gpt-4.1-mini',
})
const channel = field(z.string().max(40), {
  label: words('Bought from', '采购渠道'),
  help: words(
    'Number of a channel, or type: and the number of a type, for what the model costs to buy; empty for what it is sold at',
    '渠道编号，或 type: 加渠道类型编号，表示采购价；留空表示售价',
  ),
  example: '7',
})
const version = field(z.string().max(40), {
  label: words('Version', '版本'),
  help: words(
    'The version that was looked at: refused where the price has changed since',
    '所查看的版本：此后价格若有变动则拒绝修改',
  ),
  example: '3w5e11264sgsf',
})
const ratios = field(PriceFields, {
  label: words('Price', '价格'),
  help: words(
    'The price as ratios, as the settings keep it; what it leaves out stays as it is',
    '以倍率表示的价格，与设置中的形式相同；未填写的部分保持不变',
  ),
  example: { model_ratio: 0.2, completion_ratio: 4, cache_ratio: 0.25 },
})
const dollars = field(Dollars, {
  label: words('Price in dollars', '美元价格'),
  help: words(
    'Dollars per 1M tokens, per call or picture, per second of video; what it leaves out stays as it is',
    '每 100 万 token、每次调用或每张图片、每秒视频的美元价格；未填写的部分保持不变',
  ),
  example: { input: 0.4, output: 1.6, cache_read: 0.1 },
})
const whole = field(z.boolean().default(false), {
  label: words('The whole price', '完整价格'),
  help: words('What is not said is taken out, in place of staying as it is', '未填写的部分将被移除，而不是保持不变'),
  example: false,
})
const source = field(z.string().trim().max(300).default('own'), {
  label: words('Source', '来源'),
  help: words('Where the prices come from, for their history', '价格来源，用于价格历史'),
  example: 'builtin',
})
const Change = z.strictObject({
  model,
  channel: channel.default(''),
  version: version.optional(),
  price: ratios.nullable(),
})
const changes = field(z.array(Change).min(1).max(20_000), {
  label: words('Changes', '修改'),
  help: words(
    'The chosen models with the price that each gets, all or none; null takes a price out',
    '所选模型及其新价格，全部写入或全不写入；null 表示移除价格',
  ),
  example: [{ model: 'gpt-4.1-mini', version: '3w5e11264sgsf', price: { model_ratio: 0.2, completion_ratio: 4 } }],
})
const tried = field(
  z.array(z.strictObject({ model, usd: dollars.optional(), price: ratios.nullable().optional(), whole })).max(1000),
  {
    label: words('Tried changes', '试算的修改'),
    help: words(
      'Prices to try in place of a list: in dollars or as ratios as prices.set takes them; a price of null takes it out. Models that are priced as these are told, too',
      '代替列表的试算价格：与 prices.set 相同，用美元或倍率；price 为 null 表示移除。沿用这些价格的模型也会列出',
    ),
    example: [{ model: 'gpt-4.1-mini', usd: { input: 0.5, output: 2 } }],
  },
)
const days = field(z.number().int().min(1).max(366).default(30), {
  label: words('Days', '天数'),
  help: words('Of how many days the bills are added up', '汇总最近多少天的账单'),
  unit: words('days', '天'),
  example: 7,
})
const file = field(z.string(), {
  label: words('File', '文件'),
  help: words(
    "The text of LiteLLM's price file, of models.dev's api.json, or of a gateway's /api/pricing or /api/ratio_config",
    'LiteLLM 价格文件、models.dev 的 api.json，或其他网关的 /api/pricing、/api/ratio_config 的内容',
  ),
  example: '{"data":[{"model_name":"gpt-4.1-mini","quota_type":0,"model_ratio":0.2}]}',
})
const address = field(z.string().trim().max(2000), {
  label: words('Address', '地址'),
  help: words('Where to fetch such a list', '获取价格列表的地址'),
  example: 'https://models.dev/api.json',
})
const provider = field(z.string().trim().max(100).default(''), {
  label: words('Provider', '提供商'),
  help: words(
    'Whose offers count, of a list with several providers; empty for each model its maker',
    '列表包含多个提供商时采用谁的报价；留空表示采用模型厂商的报价',
  ),
  example: 'openai',
})
const models = field(z.array(z.string().max(200)).max(20_000).default([]), {
  label: words('Models', '模型'),
  help: words(
    'Only these models; empty for all that are served, used or priced here',
    '仅比较这些模型；留空表示所有已提供、已使用或已定价的模型',
  ),
  example: ['gpt-4.1-mini'],
})
const all = field(z.boolean().default(false), {
  label: words('Everything', '全部'),
  help: words('Also models that nobody here serves, uses or has priced', '包括未提供、未使用且未定价的模型'),
  example: false,
})

const change = field(z.number().int().min(1), {
  label: words('Change', '变动'),
  help: words('Id of the change, see the history', '变动编号，见价格历史'),
  example: 12,
})
const force = field(z.boolean().default(false), {
  label: words('Also over later changes', '覆盖之后的变动'),
  help: words('Put the price back even where it was changed again since', '即使此后又有变动，也恢复为该变动之前的价格'),
  example: false,
})

export const prices = {
  list: endpoint({
    method: 'GET',
    path: '/api/prices/',
    access: 'admin',
    scope: 'read',
    summary: words(
      'What models cost, where each price comes from, and its version: models that are served or priced here; with all=true every one that has a price, with bought=true purchase prices',
      '模型的价格、来源与版本：此处提供或定价的模型；all=true 为所有有价格的模型，bought=true 为采购价',
    ),
    query: z.object({ keyword: z.string().default(''), all: queryFlag, bought: queryFlag }),
    reply: z.array(PriceRow),
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/prices/',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words(
      'Set the price of one model, in dollars (usd, with tools, image multipliers and tiers in price) or as ratios (price), as it is sold or as it is bought; purchase prices are for the super administrator',
      '设置单个模型的售价或采购价，用美元（usd，工具、图像系数与阶梯写在 price 中）或倍率（price）；采购价仅限超级管理员',
    ),
    body: z.object({
      model,
      channel: channel.default(''),
      usd: dollars.optional(),
      price: ratios.optional(),
      whole,
      version: version.optional(),
      source,
    }),
    reply: PriceRow,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/prices/remove',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words(
      'Take out what is stored of the price of one model, as it is sold or as it is bought',
      '删除为单个模型保存的售价或采购价',
    ),
    body: z.object({ model, channel: channel.default(''), version: version.optional() }),
    reply: PriceRow,
  }),
  missing: endpoint({
    method: 'GET',
    path: '/api/prices/missing',
    access: 'admin',
    scope: 'read',
    summary: words(
      'Models without a price that channels serve, or that were called in the last 30 days',
      '由渠道提供或最近 30 天被调用过、但没有价格的模型',
    ),
    reply: z.array(
      z.object({ model: z.string(), served: z.boolean(), users: z.number(), calls: z.number(), charged: z.number() }),
    ),
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/prices/history',
    access: 'admin',
    scope: 'read',
    summary: words(
      'What prices were and became, newest first; prices.undo takes the last one of a model back',
      '价格的变更历史，最新的在前；prices.undo 撤销某模型的最近一次更改',
    ),
    query: z.object({ ...pageQuery, model: z.string().default(''), channel: z.string().default('') }),
    reply: pageOf(ShownChange),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/prices/preview',
    access: 'admin',
    scope: 'all',
    summary: words(
      'Compare prices with others: with changes that are tried, or with a catalogue from a file or an address, without any of these with the one that came with Weir: what each model costs here and there, and what the change would have meant for the bills of the last days. Changes nothing',
      '比较价格：与试算的修改、来自文件或地址的目录比较，均未给出时与 Weir 自带的目录比较；列出各模型此处与该处的价格，以及对最近若干天账单的影响。不做任何更改',
    ),
    body: z.object({
      ...{ file: file.optional(), address: address.optional(), changes: tried.optional() },
      ...{ days, provider, models, all },
    }),
    reply: z.array(Difference),
    beside: z.object({
      source: z.string(),
      /** Of which kind the list is; `own` of changes that are tried. */
      shape: z.enum([...LIST_KINDS, 'own']),
      skipped: z.array(z.object({ model: z.string(), reason: z.enum(SKIP_REASONS) })),
    }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/prices/undo',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words(
      'Give a model the price back that it had before a change; refused where the price was changed again since then, unless that is forced. The history keeps both',
      '将模型的价格恢复为某次更改之前的值；此后又更改过时拒绝，除非强制。两者均留在历史中',
    ),
    body: z.object({ change, force }),
    reply: PriceRow,
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/prices/apply',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words(
      'Give the chosen models the prices of a preview, or of the history; refused as a whole where one of them has another version by now',
      '为选定的模型采用预览或历史中的价格；其中任一模型的版本已变则整体拒绝',
    ),
    body: z.object({ source, changes }),
    reply: z.array(PriceRow),
  }),
}
