// The table of everything that a call can be charged for: unit, parent component, price of one, count to hold before a
// call, limits for a report of it, and label. Charges, estimates, bounds, the log's detail, receipts, the console and
// the terminal all use this table.
import { words } from '../errors.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import type { ComponentKind, ListedKind, PriceComponent, PriceFactors } from './component.ts'
import { defineComponents, formatKindLabel, getImageFactors } from './component.ts'
import type { Price, UsagePrice } from './price.ts'
import { findToolPrice } from './tool-price.ts'

const inRatio = (...times: number[]): PriceFactors => ({ of: 'ratio', times })
const inDollars = (...times: number[]): PriceFactors => ({ of: 'dollars', times })

/** Factor of a one-hour cache write against a five-minute one if no tier sets it: 6 / 3.75 in Anthropic's list. */
const ONE_HOUR_FACTOR = 1.6
/** USD of one plain image for each unit of model ratio, for images of a model priced by ratio. */
const IMAGE_PER_RATIO = 0.0025
/** Longest film in one request, in seconds. No provider makes longer ones. */
const LONGEST_VIDEO = 3600
/** Calls of a provider's own tools in one request. */
const MOST_TOOL_CALLS = 1000

/** Returns the factors of a cache write against input, by lifetime. */
export const writeFactors = ({ create_cache_ratio, tiers }: UsagePrice) => ({
  '5m': [create_cache_ratio, tiers?.cache?.['5m'] ?? 1],
  '1h': [create_cache_ratio, tiers?.cache?.['1h'] ?? ONE_HOUR_FACTOR],
})

/**
 * Returns the factors of audio input on text input, and of audio output on audio input. Without either ratio audio
 * output costs what text output costs: the completion ratio of speech models carries their audio price
 * (docs/billing.md, 13).
 */
export const getAudioRatios = ({ audio_ratio, audio_completion_ratio, completion_ratio }: UsagePrice) => ({
  input: audio_ratio ?? 1,
  output: audio_completion_ratio ?? (audio_ratio === undefined ? completion_ratio : 1),
})

/** USD per 1M tokens of audio input; undefined if it has no separate price. */
export const getAudioInputPrice = ({ audio_ratio, audio_input_price }: UsagePrice): number | undefined =>
  audio_ratio === undefined ? audio_input_price : undefined

/** Tokens for a minute of audio or video that is sold by length. */
const TOKENS_PER_MINUTE = 1000

/** Seconds begun count (docs/billing.md, 4.14). */
export const countDurationTokens = (seconds: number): number =>
  Math.round((Math.ceil(seconds) / 60) * TOKENS_PER_MINUTE)

/** Sums the calls of all the provider's tools. */
const toolCalls = ({ calls }: Usage): number => (calls ? Object.values(calls).reduce((sum, n) => sum + n, 0) : 0)

const NONE: readonly ComponentKind[] = []

/** Returns one row of a price list, or none. */
const plainIf = (isListed: boolean): readonly ListedKind[] => (isListed ? [['', 1]] : [])
/** Returns true if the price has one of these fields. */
const hasAnyPart = (price: Price, ...fields: (keyof UsagePrice)[]): boolean => fields.some((field) => field in price)

/** The components in the order of a bill's lines. */
export const PRICE_COMPONENTS = defineComponents({
  input: {
    unit: 'token',
    label: words('Input'),
    field: 'input',
    count: ({ input, image_in = 0, audio_in = 0 }) => input - image_in - audio_in,
    rate: { per_usage: () => inRatio(), per_call: 'in_call' },
    follows: 'input',
    held: ({ prompt_estimate, max_tokens = 0 }, least) => Math.max(prompt_estimate, least) + max_tokens,
    limit: { by: 'prompt', cut: 3 },
  },
  image_input: {
    unit: 'token',
    label: words('Image input'),
    field: 'image_in',
    partOf: 'input',
    count: ({ image_in = 0 }) => image_in,
    rate: { per_usage: ({ image_ratio = 1 }) => inRatio(image_ratio), per_call: 'in_call' },
    listKinds: (price) => plainIf(hasAnyPart(price, 'image_ratio')),
    follows: 'input',
    limit: { by: 'prompt', cut: 3 },
    log: 'image_input',
  },
  audio_input: {
    unit: 'token',
    label: words('Audio input'),
    field: 'audio_in',
    partOf: 'input',
    count: ({ audio_in = 0 }) => audio_in,
    rate: {
      per_usage(price) {
        const dollars = getAudioInputPrice(price)
        return dollars === undefined ? inRatio(getAudioRatios(price).input) : inDollars(dollars, 0.000001)
      },
      per_call: 'in_call',
    },
    listKinds: (price) => plainIf(hasAnyPart(price, 'audio_ratio', 'audio_input_price')),
    follows: 'input',
    limit: { by: 'prompt', cut: 3 },
    log: 'audio_input',
  },
  cache_read: {
    unit: 'token',
    label: words('Cached input'),
    field: 'cache_read',
    count: ({ cache_read }) => cache_read,
    rate: { per_usage: ({ cache_ratio }) => inRatio(cache_ratio), per_call: 'in_call' },
    follows: 'cache_read',
    limit: { by: 'prompt', cut: 4 },
    log: 'cache_tokens',
    logged: ({ cache_read }) => cache_read,
  },
  cache_write: {
    unit: 'token',
    label: words('Cache write'),
    field: 'cache_write',
    count: ({ cache_write }) => cache_write,
    rate: { per_usage: (price) => inRatio(...writeFactors(price)['5m']), per_call: 'in_call' },
    follows: 'cache_write',
    limit: { by: 'prompt', cut: 2 },
    log: 'cache_creation_tokens',
    logged: ({ cache_write, cache_write_1h }) => cache_write + cache_write_1h || undefined,
  },
  cache_write_1h: {
    unit: 'token',
    label: words('Cache write, 1 hour'),
    field: 'cache_write_1h',
    count: ({ cache_write_1h }) => cache_write_1h,
    rate: { per_usage: (price) => inRatio(...writeFactors(price)['1h']), per_call: 'in_call' },
    follows: 'cache_write',
    limit: { by: 'prompt', cut: 1 },
    log: 'cache_creation_tokens_1h',
  },
  output: {
    unit: 'token',
    label: words('Output'),
    field: 'output',
    count: ({ output, audio_out = 0 }) => output - audio_out,
    rate: { per_usage: ({ completion_ratio }) => inRatio(completion_ratio), per_call: 'in_call' },
    follows: 'output',
    limit: { by: 'answer' },
  },
  reasoning: {
    unit: 'token',
    label: words('Reasoning'),
    field: 'reasoning',
    partOf: 'output',
    count: ({ reasoning }) => reasoning,
    rate: { per_usage: 'in_whole', per_call: 'in_whole' },
    follows: 'output',
    limit: { by: 'answer' },
    log: 'reasoning_tokens',
  },
  image_output: {
    unit: 'token',
    label: words('Image output'),
    field: 'image_out',
    partOf: 'output',
    count: ({ image_out = 0 }) => image_out,
    rate: { per_usage: 'in_whole', per_call: 'in_whole' },
    follows: 'output',
    limit: { by: 'answer' },
    log: 'image_output',
  },
  audio_output: {
    unit: 'token',
    label: words('Audio output'),
    field: 'audio_out',
    partOf: 'output',
    count: ({ audio_out = 0 }) => audio_out,
    rate: {
      per_usage(price) {
        const { input, output } = getAudioRatios(price)
        return inRatio(input, output)
      },
      per_call: 'in_call',
    },
    listKinds: (price) => plainIf(hasAnyPart(price, 'audio_ratio', 'audio_completion_ratio')),
    follows: 'output',
    limit: { by: 'answer' },
    log: 'audio_output',
  },
  characters: {
    unit: 'character',
    label: words('Characters'),
    field: 'characters',
    count: ({ characters = 0 }) => characters,
    rate: { per_usage: () => inRatio(), per_call: 'in_call' },
    listKinds: (_, kind) => plainIf(kind === 'speech'),
    follows: 'input',
    held: ({ characters }) => characters,
    limit: { by: 'told' },
    log: 'characters',
  },
  /** Charged as the equivalent number of tokens. */
  audio_duration: {
    unit: 'token',
    label: words('Audio duration'),
    field: 'seconds',
    insteadOf: 'input',
    count: ({ seconds = 0 }) => countDurationTokens(seconds),
    rate: { per_usage: () => inRatio(), per_call: 'in_call' },
    listKinds: (_, kind) => plainIf(kind === 'transcription'),
    follows: 'input',
    held: ({ seconds }) => (seconds === undefined ? undefined : countDurationTokens(seconds)),
    limit: { by: 'sound' },
    log: 'audio_seconds',
    logged: ({ seconds }) => seconds || undefined,
  },
  video: {
    unit: 'second',
    label: words('Video'),
    field: 'video_seconds',
    insteadOf: 'output',
    count: ({ video_seconds = 0 }) => video_seconds,
    kinds({ video_seconds = 0, film = {} }, { image_multipliers }) {
      const label = formatKindLabel(film)
      return [{ count: video_seconds, times: getImageFactors(image_multipliers, film), ...(label ? { label } : {}) }]
    },
    rate: {
      per_usage: ({ video_price }) =>
        video_price === undefined ? { ...inRatio(TOKENS_PER_MINUTE), over: 60 } : inDollars(video_price),
      per_call: 'in_call',
    },
    listKinds: (price, kind) =>
      hasAnyPart(price, 'video_price') || kind === 'video'
        ? [['', 1], ...Object.entries(price.image_multipliers ?? {})]
        : [],
    follows: 'output',
    held: ({ video_seconds }) => video_seconds,
    limit: { by: 'number', most: LONGEST_VIDEO },
    log: 'video_seconds',
  },
  task: {
    unit: 'piece',
    label: words('Task'),
    field: 'tasks',
    count: ({ tasks = 0 }) => tasks,
    rate: { per_usage: ({ model_ratio }) => inDollars(model_ratio, IMAGE_PER_RATIO), per_call: 'in_call' },
    listKinds: (_, kind) => plainIf(kind === 'drawing' || kind === 'music'),
    follows: 'input',
    held: ({ tasks }) => tasks,
    limit: { by: 'told' },
    log: 'tasks',
  },
  call: {
    unit: 'call',
    label: words('Call'),
    count: ({ images }) => (images ? 0 : 1),
    rate: { per_usage: 'in_usage', per_call: ({ model_price }) => inDollars(model_price) },
    listKinds: (_, kind) => plainIf(kind !== 'images'),
    follows: 'input',
    held: () => 1,
    limit: { by: 'told' },
  },
  image: {
    unit: 'piece',
    label: words('Image'),
    insteadOf: 'output',
    count: ({ images }) => images?.n ?? 0,
    kinds({ images }, price) {
      if (!images) return NONE
      const label = formatKindLabel(images)
      const times = getImageFactors(price.image_multipliers, images)
      return [{ count: images.n, times, ...(label ? { label } : {}) }]
    },
    rate: {
      per_usage: ({ model_ratio }) => inDollars(model_ratio, IMAGE_PER_RATIO),
      per_call: ({ model_price }) => inDollars(model_price),
    },
    listKinds: ({ image_multipliers = {} }, kind) =>
      kind === 'images' ? [['', 1], ...Object.entries(image_multipliers)] : [],
    follows: 'input',
    held: ({ images }) => images?.n,
    limit: { by: 'told' },
    log: 'image_count',
    logged: ({ images }) => images?.n,
  },
  tool: {
    unit: 'call',
    label: words('Tool'),
    count: toolCalls,
    kinds({ calls }, { tools }) {
      if (!calls || !tools) return NONE
      const kinds = Object.entries(calls).map(([label, count]) => ({
        count,
        label,
        times: [findToolPrice(label, tools)],
      }))
      return kinds.filter(({ times: [dollars = 0] }) => dollars > 0)
    },
    rate: { per_usage: () => inDollars(0.001), per_call: () => inDollars(0.001) },
    // Price lists show them separately, because they are the same for most models.
    listKinds: () => [],
    follows: null,
    limit: { by: 'number', most: MOST_TOOL_CALLS },
    log: 'tool_calls',
    logged: (usage) => toolCalls(usage) || undefined,
  },
})

/** The name of a component, as a line of a bill has it. */
export type ComponentName = keyof typeof PRICE_COMPONENTS

/** Returns the component with that name; undefined if it does not exist, or no longer does. */
export const findComponent = (what: string): PriceComponent | undefined =>
  Object.hasOwn(PRICE_COMPONENTS, what) ? PRICE_COMPONENTS[what as ComponentName] : undefined
