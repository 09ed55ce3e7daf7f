// Settings of prices and groups.
import { GatewayError, words } from '../errors.ts'
import { z } from 'zod'
import { ChannelPrices } from './channel-price.ts'
import { defaultPrices as initial } from './default-prices.built.ts'
import { filmMultipliers } from './film-prices.data.ts'
import { PRICE_PARTS } from './price-parts.ts'
import { audioInputPriceTable, imageMultiplier, toolPriceTable } from './price-tiers.data.ts'
import { PriceTiers } from './price-tiers.ts'
import { json, ratios, failWithCode, setting, type OtherSettings, type SettingValue } from './setting.ts'

/** At least one group is required, since every call needs one. */
const groupRatios = (initial: Record<string, number>): SettingValue<Record<string, number>> => {
  const value = ratios(initial)
  const isSome = (groups: Record<string, number>) => Object.keys(groups).length > 0
  return { ...value, schema: value.schema.refine(isSome, failWithCode('setting.no_group')) }
}

/** A group that can be chosen and has no ratio would refuse every call, so it is not offered. */
const haveRatios = (groups: Record<string, string>, others: OtherSettings) => {
  const ratios = others('GroupRatio') as Record<string, number>
  const group = Object.keys(groups).find((name) => !Object.hasOwn(ratios, name))
  return group === undefined ? undefined : new GatewayError('setting.group_without_ratio', { group })
}

const withRatios = (groups: Record<string, string>, others: OtherSettings) => {
  const ratios = others('GroupRatio') as Record<string, number>
  return Object.fromEntries(Object.entries(groups).filter(([name]) => Object.hasOwn(ratios, name)))
}

export const pricingSettings = {
  ModelRatio: setting({
    value: ratios(initial.ModelRatio),
    label: PRICE_PARTS.model_ratio.label,
    help: words('Price of input by model; 1 is $2 per 1M tokens'),
    card: 'operation.prices',
    order: 20,
    writer: 'proven_admin',
  }),
  ModelPrice: setting({
    value: ratios(initial.ModelPrice),
    label: PRICE_PARTS.model_price.label,
    help: words('Fixed price per call in dollars; wins over the ratio'),
    card: 'operation.prices',
    order: 10,
    writer: 'proven_admin',
  }),
  CompletionRatio: setting({
    value: ratios(initial.CompletionRatio),
    label: PRICE_PARTS.completion_ratio.label,
    help: words('Price of output divided by price of input'),
    card: 'operation.prices',
    order: 40,
    writer: 'proven_admin',
  }),
  CacheRatio: setting({
    value: ratios(initial.CacheRatio),
    label: PRICE_PARTS.cache_ratio.label,
    help: words('Price of cached input divided by price of input; 1 where missing'),
    card: 'operation.prices',
    order: 30,
    writer: 'proven_admin',
  }),
  CreateCacheRatio: setting({
    value: ratios(initial.CreateCacheRatio),
    label: PRICE_PARTS.create_cache_ratio.label,
    help: words('Price of writing the cache divided by price of input; 1.25 where missing'),
    card: 'operation.prices',
    order: 50,
    writer: 'proven_admin',
  }),
  AudioRatio: setting({
    value: ratios(initial.AudioRatio),
    label: PRICE_PARTS.audio_ratio.label,
    help: words('Price of audio input divided by price of text input'),
    card: 'operation.prices',
    order: 60,
    writer: 'proven_admin',
  }),
  AudioCompletionRatio: setting({
    value: ratios(initial.AudioCompletionRatio),
    label: PRICE_PARTS.audio_completion_ratio.label,
    help: words('Price of audio output divided by price of audio input'),
    card: 'operation.prices',
    order: 70,
    writer: 'proven_admin',
  }),
  ImageRatio: setting({
    value: ratios(initial.ImageRatio),
    label: PRICE_PARTS.image_ratio.label,
    help: words('Price of image input divided by price of text input'),
    card: 'operation.prices',
    order: 80,
    writer: 'proven_admin',
  }),
  AudioInputPrice: setting({
    value: ratios(audioInputPriceTable),
    label: PRICE_PARTS.audio_input_price.label,
    help: words('Dollars per 1M tokens of audio input, by model or beginning with *; an audio ratio wins'),
    card: 'operation.prices',
    order: 90,
    writer: 'proven_admin',
  }),
  VideoPrice: setting({
    value: ratios(initial.VideoPrice),
    label: PRICE_PARTS.video_price.label,
    help: words(
      'Dollars per second of generated video, by model or by beginning with *; without one, a minute costs as much as 1000 tokens; a price per call includes it',
    ),
    card: 'operation.prices',
    order: 115,
    writer: 'proven_admin',
  }),
  ToolPrice: setting({
    value: ratios(toolPriceTable),
    label: words('Tool prices'),
    help: words(
      'Dollars per 1000 calls of a built-in tool: tool, or tool:model-prefix*; the longest prefix wins, 0 is free',
    ),
    card: 'operation.prices',
    order: 100,
    writer: 'proven_admin',
  }),
  ImageMultiplier: setting({
    value: json(z.record(z.string(), z.record(z.string(), z.number().min(0))), {
      ...imageMultiplier,
      ...filmMultipliers,
    }),
    label: words('Image multipliers'),
    help: words(
      'By model or by beginning with *: multipliers of the image price by size, quality or quality:size; for a video by resolution (1080p), and sound or silent',
    ),
    card: 'operation.prices',
    order: 110,
    writer: 'proven_admin',
  }),
  PriceTiers: setting({
    value: json(PriceTiers, initial.PriceTiers),
    label: words('Price tiers'),
    help: words(
      'By model or beginning with *: multipliers by prompt length, service tier, time of day and cache lifetime',
    ),
    card: 'operation.prices',
    order: 120,
    writer: 'proven_admin',
  }),
  ChannelPrice: setting({
    value: json(ChannelPrices, {}),
    label: words('Purchase prices'),
    help: words(
      'Purchase prices: by channel (7) or type (type:1), then model or prefix with *; model_ratio or model_price, other parts as sold if missing; without a price the cost is unknown',
    ),
    card: 'operation.prices',
    order: 130,
    writer: 'root',
  }),
  GroupRatio: setting({
    value: groupRatios({ default: 1, vip: 1, svip: 1 }),
    label: words('Group ratio'),
    help: words('The groups and the multiplier of each'),
    card: 'operation.groups',
    order: 10,
    danger: words('Tokens of a group that is taken out are refused; its users go on, at a ratio of 1.'),
    writer: 'proven_admin',
  }),
  GroupGroupRatio: setting({
    value: json(z.record(z.string(), z.record(z.string(), z.number().min(0))), {}),
    label: words('Special group ratio'),
    help: words('User group, then group of the call: a multiplier that replaces the group ratio'),
    card: 'operation.groups',
    order: 30,
    writer: 'proven_admin',
  }),
  UserUsableGroups: setting({
    value: json(z.record(z.string(), z.string()), { default: 'Default group', vip: 'VIP group' }),
    label: words('Groups users may choose'),
    help: words('Group and description; a user may always choose their own'),
    card: 'operation.groups',
    order: 20,
    writer: 'proven_admin',
    conflict: haveRatios,
    whileConflicting: withRatios,
  }),
}
