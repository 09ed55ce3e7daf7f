// The input fields of the price endpoints, with their labels.
import { z } from 'zod'
import { field } from '../contract/field.ts'
import { words } from '../errors.ts'
import { PriceFields } from '../settings/channel-price.ts'
import { StatedFacts } from '../settings/models.ts'
import { DollarPrice } from './dollars.ts'

const model = field(z.string().min(1).max(200), {
  label: words('Model'),
  help: words('Name of the model, as callers ask for it'),
  example: 'gpt-4.1-mini',
})
const channel = field(z.string().max(40), {
  label: words('Bought from'),
  help: words(
    'Number of a channel, or type: and the number of a type, for what the model costs to buy; empty for what it is sold at',
  ),
  example: '7',
})
const version = field(z.string().max(40), {
  label: words('Version'),
  help: words('The version that was read: refused if the price has changed since'),
  example: '3w5e11264sgsf',
})
const ratios = field(PriceFields, {
  label: words('Price'),
  help: words('The price as ratios, as the settings keep it; what it leaves out stays as it is'),
  example: { model_ratio: 0.2, completion_ratio: 4, cache_ratio: 0.25 },
})
const dollars = field(DollarPrice, {
  label: words('Price in dollars'),
  help: words('Dollars per 1M tokens, per call or picture, per second of video; what it leaves out stays as it is'),
  example: { input: 0.4, output: 1.6, cache_read: 0.1 },
})
const whole = field(z.boolean().default(false), {
  label: words('The whole price'),
  help: words('Remove absent fields instead of keeping them'),
  example: false,
})
const source = field(z.string().trim().max(300).default('own'), {
  label: words('Source'),
  help: words('Source of the prices, for their history'),
  example: 'builtin',
})
const facts = field(StatedFacts, {
  label: words('Facts'),
  help: words('Limits in tokens, kind and modalities, where they are not as they came with Weir'),
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
  label: words('Changes'),
  help: words(
    'The chosen models with the new price and facts of each, all or none; absent fields stay, null removes them',
  ),
  example: [{ model: 'gpt-4.1-mini', version: '3w5e11264sgsf', price: { model_ratio: 0.2, completion_ratio: 4 } }],
})
const tried = field(
  z.array(z.strictObject({ model, usd: dollars.optional(), price: ratios.nullable().optional(), whole })).max(1000),
  {
    label: words('Tried changes'),
    help: words(
      'Prices to try in place of a list: in dollars or as ratios as prices.set accepts them; null removes a price. Models that follow these prices are also listed',
    ),
    example: [{ model: 'gpt-4.1-mini', usd: { input: 0.5, output: 2 } }],
  },
)
const days = field(z.number().int().min(1).max(366).default(30), {
  label: words('Days'),
  help: words('Of how many days the bills are added up'),
  unit: words('days'),
  example: 7,
})
const file = field(z.string(), {
  label: words('File'),
  help: words(
    "The text of LiteLLM's price file, of models.dev's api.json, or of a gateway's /api/pricing or /api/ratio_config",
  ),
  example: '{"data":[{"model_name":"gpt-4.1-mini","quota_type":0,"model_ratio":0.2}]}',
})
const address = field(z.string().trim().max(2000), {
  label: words('Address'),
  help: words('Address of such a list'),
  example: 'https://models.dev/api.json',
})
const provider = field(z.string().trim().max(100).default(''), {
  label: words('Provider'),
  help: words('The provider whose offers count, in a list with several; empty for the maker of each model'),
  example: 'openai',
})
const models = field(z.array(z.string().max(200)).max(20_000).default([]), {
  label: words('Models'),
  help: words('Only these models; empty for all that are served, used or priced here'),
  example: ['gpt-4.1-mini'],
})
const all = field(z.boolean().default(false), {
  label: words('Everything'),
  help: words('Also models that are neither served, used nor priced here'),
  example: false,
})

const change = field(z.number().int().min(1), {
  label: words('Change'),
  help: words('Id of the change, see the history'),
  example: 12,
})
const force = field(z.boolean().default(false), {
  label: words('Also over later changes'),
  help: words('Restore the price even if it has changed again since'),
  example: false,
})

export const priceFieldDeclarations = {
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
