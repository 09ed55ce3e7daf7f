// Settings of prices and groups.
import { z } from 'zod'
import { ChannelPrices } from './channel-price.ts'
import * as builtIn from './model-prices.data.ts'
import { audioInputPriceTable, imageMultiplier, priceTiers, toolPriceTable } from './price-tiers.data.ts'
import { PriceTiers } from './price-tiers.ts'
import { json, ratios, setting } from './setting.ts'

const section = 'pricing'

/** The sandbox's models cost something too, so that charging can be watched without a key. */
const sandbox = {
  ratio: { 'sandbox-small': 0.5, 'sandbox-large': 5 },
  completion: { 'sandbox-small': 2, 'sandbox-large': 4 },
}

export const pricingSettings = {
  ModelRatio: setting({
    value: ratios({ ...builtIn.modelRatio, ...sandbox.ratio }),
    label: 'Model ratio',
    help: 'Price of input by model; 1 is $2 per 1M tokens',
    section,
    writer: 'proven_admin',
  }),
  ModelPrice: setting({
    value: ratios(builtIn.modelPrice),
    label: 'Model price',
    help: 'Fixed price per call in dollars; wins over the ratio',
    section,
    writer: 'proven_admin',
  }),
  CompletionRatio: setting({
    value: ratios({ ...builtIn.completionRatio, ...sandbox.completion }),
    label: 'Completion ratio',
    help: 'Price of output divided by price of input',
    section,
    writer: 'proven_admin',
  }),
  CacheRatio: setting({
    value: ratios(builtIn.cacheRatio),
    label: 'Cache ratio',
    help: 'Price of cached input divided by price of input; 1 where missing',
    section,
    writer: 'proven_admin',
  }),
  CreateCacheRatio: setting({
    value: ratios(builtIn.createCacheRatio),
    label: 'Cache creation ratio',
    help: 'Price of writing the cache divided by price of input; 1.25 where missing',
    section,
    writer: 'proven_admin',
  }),
  AudioRatio: setting({
    value: ratios(builtIn.audioRatio),
    label: 'Audio ratio',
    help: 'Price of audio input divided by price of text input',
    section,
    writer: 'proven_admin',
  }),
  AudioCompletionRatio: setting({
    value: ratios(builtIn.audioCompletionRatio),
    label: 'Audio completion ratio',
    help: 'Price of audio output divided by price of audio input',
    section,
    writer: 'proven_admin',
  }),
  ImageRatio: setting({
    value: ratios(builtIn.imageRatio),
    label: 'Image ratio',
    help: 'Price of image input divided by price of text input',
    section,
    writer: 'proven_admin',
  }),
  AudioInputPrice: setting({
    value: ratios(audioInputPriceTable),
    label: 'Audio input price',
    help: 'Dollars per 1M tokens of audio input, by model or beginning with *; an audio ratio wins',
    section,
    writer: 'proven_admin',
  }),
  VideoPrice: setting({
    value: ratios({}),
    label: 'Video price',
    help: 'Dollars per second of video made, by model or beginning with *; without one a minute costs what 1000 tokens cost; a price per call covers it',
    section,
    writer: 'proven_admin',
  }),
  ToolPrice: setting({
    value: ratios(toolPriceTable),
    label: 'Tool prices',
    help: 'Dollars per 1000 calls of a built-in tool: tool, or tool:model-prefix*; the longest prefix wins, 0 is free',
    section,
    writer: 'proven_admin',
  }),
  ImageMultiplier: setting({
    value: json(z.record(z.string(), z.record(z.string(), z.number().min(0))), imageMultiplier),
    label: 'Image multipliers',
    help: 'By model or beginning with *: what a size, a quality, or quality:size makes of the price of one image',
    section,
    writer: 'proven_admin',
  }),
  PriceTiers: setting({
    value: json(PriceTiers, priceTiers),
    label: 'Price tiers',
    help: 'By model or beginning with *: multipliers by prompt length, service tier, time of day and cache lifetime',
    section,
    writer: 'proven_admin',
  }),
  ChannelPrice: setting({
    value: json(ChannelPrices, {}),
    label: 'Purchase prices',
    help: 'What you pay: by channel (7) or type (type:1), then model or beginning with *; model_ratio or model_price, the rest as it is sold where missing; without a price the cost is unknown',
    section,
    writer: 'root',
  }),
  GroupRatio: setting({
    value: ratios({ default: 1, vip: 1, svip: 1 }),
    label: 'Group ratio',
    help: 'The groups and the multiplier of each',
    section,
    writer: 'proven_admin',
  }),
  GroupGroupRatio: setting({
    value: json(z.record(z.string(), z.record(z.string(), z.number().min(0))), {}),
    label: 'Special group ratio',
    help: 'User group, then group of the call: a multiplier that replaces the group ratio',
    section,
    writer: 'proven_admin',
  }),
  UserUsableGroups: setting({
    value: json(z.record(z.string(), z.string()), { default: 'Default group', vip: 'VIP group' }),
    label: 'Groups users may choose',
    help: 'Group and description; a user may always choose their own',
    section,
    writer: 'proven_admin',
  }),
}
