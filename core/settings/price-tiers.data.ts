// The built-in price tiers and surcharges: defaults of the pricing settings.
import type { PriceTiers } from './price-tiers.ts'

const longPrompt = (above: number, input: number, output: number) => ({ prompt: [{ above, factor: { input, output } }] })

/** Half price for what may wait; twice for what goes first. */
const openaiService = { flex: 0.5, batch: 0.5, priority: 2 }
const openai = { service: openaiService }
const openaiLong = { ...longPrompt(272_000, 2, 1.5), service: openaiService }

/** The built-in table holds DeepSeek's peak price; peak hours are 9-12 and 14-18 in Beijing, every day. */
const deepseek = {
  time: [
    {
      time_zone: 'Asia/Shanghai',
      hours: [
        [0, 9],
        [12, 14],
        [18, 24],
      ] as [number, number][],
      factor: 0.5,
    },
  ],
}

/** List prices of 2026, first tier in the ratio tables (docs/billing.md, 4). */
export const priceTiers: PriceTiers = {
  // A cache kept for an hour against one kept for five minutes: 6 / 3.75 in Anthropic's price list.
  '*': { service: { batch: 0.5 }, cache: { '5m': 1, '1h': 1.6 } },
  'gpt-*': openai,
  'o1*': openai,
  'o3*': openai,
  'o4*': openai,
  'gpt-5.4*': openaiLong,
  'gpt-5.5*': openaiLong,
  'gpt-5.6*': openaiLong,
  'gpt-6*': openaiLong,
  'gemini-2.5-pro*': longPrompt(200_000, 2, 1.5),
  'gemini-3-pro*': longPrompt(200_000, 2, 1.5),
  'gemini-3.1-pro*': longPrompt(200_000, 2, 1.5),
  'gemini-*': { service: { flex: 0.5, batch: 0.5, priority: 2 } },
  // Anthropic's pricing page, data residency: inference in the US alone costs 1.1 of every price.
  'claude-*': { service: { batch: 0.5, fast: 6, 'geo:us': 1.1 } },
  'claude-sonnet-4*': longPrompt(200_000, 2, 1.5),
  // Later ones of the family have one price for every length.
  'claude-sonnet-4-6*': { prompt: [] },
  'claude-haiku-5-5*': longPrompt(100_000, 5, 5),
  'grok-4*': longPrompt(128_000, 2, 2),
  'grok-4.2*': longPrompt(200_000, 2, 2),
  'grok-4.3*': longPrompt(200_000, 2, 2),
  'grok-4.5*': longPrompt(200_000, 2, 2),
  'MiniMax-M3*': longPrompt(512_000, 2, 2),
  'minimax-m3*': longPrompt(512_000, 2, 2),
  'deepseek-flash*': deepseek,
  'deepseek-v4-flash*': deepseek,
  'deepseek-v4-pro*': deepseek,
}

/**
 * USD per 1000 calls of a provider's built-in tool: `tool` or `tool:model-prefix*`. Sources and dates:
 * OpenAI, developers.openai.com/api/docs/pricing, March 2026: web search 10; the preview 10 for models that reason and
 * 25 for others; file search 2.5; a container 0.03 each. Anthropic, platform.claude.com pricing, 2026: web search 10,
 * web fetch free. Google, ai.google.dev/gemini-api/docs/pricing, September 2026: 14 for each query from Gemini 3 on, 35
 * for each grounded prompt before. xAI, docs.x.ai/developers/pricing, 2026: searches and code 5, collections 2.5.
 */
export const toolPriceTable: Record<string, number> = {
  web_search: 10,
  'web_search:grok*': 5,
  web_search_preview: 10,
  'web_search_preview:gpt-4o*': 25,
  'web_search_preview:gpt-4.1*': 25,
  file_search: 2.5,
  'x_search:grok*': 5,
  code_interpreter: 30,
  'code_interpreter:grok*': 5,
  google_search: 14,
  'google_search:gemini-1*': 0,
  'google_search:gemini-2*': 0,
  'google_search_prompt:gemini-1*': 35,
  'google_search_prompt:gemini-2*': 35,
  image_generation: 150,
  'image_generation/low/1024x1024': 11,
  'image_generation/low/1024x1536': 16,
  'image_generation/low/1536x1024': 16,
  'image_generation/medium/1024x1024': 42,
  'image_generation/medium/1024x1536': 63,
  'image_generation/medium/1536x1024': 63,
  'image_generation/high/1024x1024': 167,
  'image_generation/high/1024x1536': 250,
  'image_generation/high/1536x1024': 250,
}

/** Factors of the price of one image by size, by quality, or by both together as `quality:size`. */
export const imageMultiplier: Record<string, Record<string, number>> = {
  'dall-e-2*': { '256x256': 0.8, '512x512': 0.9, '1024x1024': 1 },
  'dall-e-3*': {
    '1024x1024': 1,
    '1024x1792': 2,
    '1792x1024': 2,
    standard: 1,
    hd: 2,
    'hd:1024x1792': 3,
    'hd:1792x1024': 3,
  },
}

/** USD per 1M tokens of audio input, where it does not follow the text price; an audio ratio wins. */
export const audioInputPriceTable: Record<string, number> = {
  'gemini-2.5-flash*': 1,
  'gemini-2.5-flash-lite-preview*': 0.5,
  'gemini-2.5-flash-preview-native-audio*': 3,
  'gemini-2.0-flash*': 0.7,
  'gemini-robotics-er-1.5*': 1,
}
