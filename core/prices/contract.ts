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
import { Dollars } from './dollars.ts'
import { PRICE_SOURCES } from './price-rows.ts'

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
  prices: z.array(PriceLine),
})

const ShownChange = PriceChange.omit({ before: true, after: true }).extend({
  from: ShownPrice.nullable(),
  to: ShownPrice.nullable(),
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

export const prices = {
  list: endpoint({
    method: 'GET',
    path: '/api/prices/',
    access: 'admin',
    scope: 'read',
    summary:
      'What models cost, where each price comes from, and its version: models that are served or priced here; with all=true every one that has a price, with bought=true purchase prices',
    query: z.object({ keyword: z.string().default(''), all: queryFlag, bought: queryFlag }),
    reply: z.array(PriceRow),
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/prices/',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary:
      'Set the price of one model, in dollars (usd) or as ratios (price), as it is sold or as it is bought; purchase prices are for the super administrator',
    body: z.object({
      model,
      channel: channel.default(''),
      usd: dollars.optional(),
      price: ratios.optional(),
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
    summary: 'Take out what is stored of the price of one model, as it is sold or as it is bought',
    body: z.object({ model, channel: channel.default(''), version: version.optional() }),
    reply: PriceRow,
  }),
  missing: endpoint({
    method: 'GET',
    path: '/api/prices/missing',
    access: 'admin',
    scope: 'read',
    summary: 'Models without a price that channels serve, or that were called in the last 30 days',
    reply: z.array(
      z.object({ model: z.string(), served: z.boolean(), users: z.number(), calls: z.number(), charged: z.number() }),
    ),
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/prices/history',
    access: 'admin',
    scope: 'read',
    summary: 'What prices were and became, newest first; to go back to one, apply its from',
    query: z.object({ ...pageQuery, model: z.string().default(''), channel: z.string().default('') }),
    reply: pageOf(ShownChange),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/prices/preview',
    access: 'admin',
    scope: 'all',
    summary:
      'Compare prices with a catalogue, from a file or an address, without either with the one that came with Weir: what each model costs here and there, and what the change would have meant for the bills of the last 30 days. Changes nothing',
    body: z.object({ file: file.optional(), address: address.optional(), provider, models, all }),
    reply: z.array(Difference),
    beside: z.object({
      source: z.string(),
      shape: z.enum(LIST_KINDS),
      skipped: z.array(z.object({ model: z.string(), reason: z.enum(SKIP_REASONS) })),
    }),
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/prices/apply',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary:
      'Give the chosen models the prices of a preview, or of the history; refused as a whole where one of them has another version by now',
    body: z.object({ source, changes }),
    reply: z.array(PriceRow),
  }),
}
