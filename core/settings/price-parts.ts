// The parts of a price that are one number, each declared once: its meaning, and the table of the settings that stores
// it under the model's name. Editing, storing, showing, merging and reading from other gateways all follow from it.
import { words, type Words } from '../errors.ts'

export interface PricePart {
  table: string
  /** The kind of price with this part: by call, or by usage. A price that changes its kind loses the part. */
  by: 'call' | 'usage'
  /** A model is sold by it alone. */
  sells?: true
  /**
   * true if the value is in dollars and may be set for a prefix of names with `*`; a ratio is set for one model name.
   */
  dollars?: true
  /** The part that overrides this one. */
  unless?: string
  label: Words
  /** Its meaning and unit. */
  help: Words
  /** A value for documents. */
  example: number
}

export const PRICE_PARTS = {
  model_price: {
    table: 'ModelPrice',
    by: 'call',
    sells: true,
    label: words('Model price'),
    help: words('Price of a call in US dollars, or of an image of the plain size, where it is priced by the call'),
    example: 0.04,
  },
  model_ratio: {
    table: 'ModelRatio',
    by: 'usage',
    sells: true,
    label: words('Model ratio'),
    help: words('Price of a prompt token by ratio: 1 is 2 US dollars per 1M tokens'),
    example: 0.2,
  },
  completion_ratio: {
    table: 'CompletionRatio',
    by: 'usage',
    label: words('Completion ratio'),
    help: words('Price of an answer token as a multiple of a prompt token'),
    example: 4,
  },
  cache_ratio: {
    table: 'CacheRatio',
    by: 'usage',
    label: words('Cache ratio'),
    help: words('Price of a cached prompt token as a multiple of a prompt token'),
    example: 0.5,
  },
  create_cache_ratio: {
    table: 'CreateCacheRatio',
    by: 'usage',
    label: words('Cache creation ratio'),
    help: words('Price of a prompt token written to the cache as a multiple of a prompt token'),
    example: 1.25,
  },
  audio_ratio: {
    table: 'AudioRatio',
    by: 'usage',
    label: words('Audio ratio'),
    help: words('Price of a token of audio input as a multiple of a prompt token'),
    example: 16,
  },
  audio_completion_ratio: {
    table: 'AudioCompletionRatio',
    by: 'usage',
    label: words('Audio completion ratio'),
    help: words('Price of a token of audio output as a multiple of one of audio input'),
    example: 2,
  },
  image_ratio: {
    table: 'ImageRatio',
    by: 'usage',
    label: words('Image ratio'),
    help: words('Price of a prompt token of an image as a multiple of a prompt token'),
    example: 2,
  },
  audio_input_price: {
    table: 'AudioInputPrice',
    by: 'usage',
    dollars: true,
    unless: 'audio_ratio',
    label: words('Audio input price'),
    help: words('US dollars per 1M tokens of audio input'),
    example: 1,
  },
  video_price: {
    table: 'VideoPrice',
    by: 'usage',
    sells: true,
    dollars: true,
    label: words('Video price'),
    help: words('US dollars per second of video'),
    example: 0.1,
  },
} as const satisfies Record<string, PricePart>

export type PricePartName = keyof typeof PRICE_PARTS
/** Those of a price by usage. */
export type UsagePartName = Exclude<PricePartName, 'model_price'>
/** The settings that are tables of them. */
export type PriceTable = (typeof PRICE_PARTS)[PricePartName]['table']

export const PRICE_PART_LIST = Object.entries<PricePart>(PRICE_PARTS).map(([name, part]) => ({
  ...part,
  name: name as PricePartName,
  table: part.table as PriceTable,
}))

export const USAGE_PRICE_PARTS = PRICE_PART_LIST.flatMap(({ by, name }) =>
  by === 'usage' ? [name as UsagePartName] : [],
)

/** Those that sell a model by themselves. */
export const SELLING_PRICE_PARTS = PRICE_PART_LIST.filter(({ sells }) => sells)
