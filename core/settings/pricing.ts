// Settings of prices and groups.
import { z } from 'zod'
import * as builtIn from './model-prices.data.ts'
import { json, ratios, setting } from './setting.ts'

const section = 'pricing'

/** The sandbox's models cost something too, so that charging can be watched without a key. */
const sandbox = {
  ratio: { 'sandbox-small': 0.5, 'sandbox-large': 5 },
  completion: { 'sandbox-small': 2, 'sandbox-large': 4 },
}

export const pricing = {
  ModelRatio: setting({
    value: ratios({ ...builtIn.modelRatio, ...sandbox.ratio }),
    label: 'Model ratio',
    help: 'Price of input by model; 1 is $2 per 1M tokens',
    section,
  }),
  ModelPrice: setting({
    value: ratios(builtIn.modelPrice),
    label: 'Model price',
    help: 'Fixed price per call in dollars; wins over the ratio',
    section,
  }),
  CompletionRatio: setting({
    value: ratios({ ...builtIn.completionRatio, ...sandbox.completion }),
    label: 'Completion ratio',
    help: 'Price of output divided by price of input',
    section,
  }),
  CacheRatio: setting({
    value: ratios(builtIn.cacheRatio),
    label: 'Cache ratio',
    help: 'Price of cached input divided by price of input; 1 where missing',
    section,
  }),
  CreateCacheRatio: setting({
    value: ratios(builtIn.createCacheRatio),
    label: 'Cache creation ratio',
    help: 'Price of writing the cache divided by price of input; 1.25 where missing',
    section,
  }),
  AudioRatio: setting({
    value: ratios(builtIn.audioRatio),
    label: 'Audio ratio',
    help: 'Price of audio input divided by price of text input',
    section,
  }),
  AudioCompletionRatio: setting({
    value: ratios(builtIn.audioCompletionRatio),
    label: 'Audio completion ratio',
    help: 'Price of audio output divided by price of audio input',
    section,
  }),
  ImageRatio: setting({
    value: ratios(builtIn.imageRatio),
    label: 'Image ratio',
    help: 'Price of image input divided by price of text input',
    section,
  }),
  GroupRatio: setting({
    value: ratios({ default: 1, vip: 1, svip: 1 }),
    label: 'Group ratio',
    help: 'The groups and the multiplier of each',
    section,
  }),
  UserUsableGroups: setting({
    value: json(z.record(z.string(), z.string()), { default: 'Default group', vip: 'VIP group' }),
    label: 'Groups users may choose',
    help: 'Group and description; a user may always choose their own',
    section,
  }),
}
