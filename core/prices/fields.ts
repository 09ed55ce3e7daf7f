// The input fields of the price endpoints, with their labels.
import { z } from 'zod'
import { field } from '../contract/field.ts'
import { words } from '../errors.ts'
import { PriceFields } from '../settings/channel-price.ts'
import { StatedFacts } from '../settings/models.ts'
import { Dollars } from './dollars.ts'

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
    'The version that was read: refused if the price has changed since',
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
  help: words('Fields that are absent are removed instead of kept', '未填写的部分将被移除，而不是保持不变'),
  example: false,
})
const source = field(z.string().trim().max(300).default('own'), {
  label: words('Source', '来源'),
  help: words('Source of the prices, for their history', '价格来源，用于价格历史'),
  example: 'builtin',
})
const facts = field(StatedFacts, {
  label: words('Facts', '模型信息'),
  help: words(
    'Limits in tokens, kind and modalities, where they are not as they came with Weir',
    '与 Weir 自带信息不同的部分：以 token 计的限制、类型与模态',
  ),
  example: { context: 1_000_000, output: 128_000 },
})
const Change = z.strictObject({
  model,
  channel: channel.default(''),
  version: version.optional(),
  price: ratios.nullable().optional(),
  facts: facts.nullable().optional(),
  facts_version: version.optional(),
})
const changes = field(z.array(Change).min(1).max(20_000), {
  label: words('Changes', '修改'),
  help: words(
    'The chosen models with the price and the facts that each gets, all or none; what is missing stays, null takes it out',
    '所选模型及其新价格与模型信息，全部写入或全不写入；未填写的保持不变，null 表示移除',
  ),
  example: [{ model: 'gpt-4.1-mini', version: '3w5e11264sgsf', price: { model_ratio: 0.2, completion_ratio: 4 } }],
})
const tried = field(
  z.array(z.strictObject({ model, usd: dollars.optional(), price: ratios.nullable().optional(), whole })).max(1000),
  {
    label: words('Tried changes', '试算的修改'),
    help: words(
      'Prices to try in place of a list: in dollars or as ratios as prices.set accepts them; null removes a price. Models that follow these prices are listed, too',
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
  help: words('Address of such a list', '获取价格列表的地址'),
  example: 'https://models.dev/api.json',
})
const provider = field(z.string().trim().max(100).default(''), {
  label: words('Provider', '提供商'),
  help: words(
    'The provider whose offers count, in a list with several; empty for the maker of each model',
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
  help: words('Also models that are neither served, used nor priced here', '包括未提供、未使用且未定价的模型'),
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

export const priceFields = {
  model,
  channel,
  version,
  ratios,
  dollars,
  whole,
  source,
  changes,
  tried,
  days,
  file,
  address,
  provider,
  models,
  all,
  change,
  force,
}
