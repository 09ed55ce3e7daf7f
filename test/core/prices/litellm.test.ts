// LiteLLM's price file: every kind of price that it knows, and what no table of ours can hold.
import { describe, expect, it, test } from 'vitest'
import { read, usdOf } from './read.ts'

describe("LiteLLM's file", () => {
  const file = {
    sample_spec: { litellm_provider: 'one of many', input_cost_per_token: 0, max_tokens: 'LEGACY parameter' },
    'claude-sonnet-4-5': {
      ...{ input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5, litellm_provider: 'anthropic', mode: 'chat' },
      ...{ cache_read_input_token_cost: 3e-7, cache_creation_input_token_cost: 3.75e-6 },
      ...{ cache_creation_input_token_cost_above_1hr: 7.5e-6, input_cost_per_token_above_200k_tokens: 6e-6 },
      ...{ output_cost_per_token_above_200k_tokens: 2.25e-5, cache_read_input_token_cost_above_200k_tokens: 6e-7 },
      ...{
        max_input_tokens: 200_000,
        max_output_tokens: 64_000,
        supports_vision: true,
        input_cost_per_token_batches: 1.5e-6,
      },
    },
    'gpt-4o-audio-preview': {
      ...{ input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5, litellm_provider: 'openai', mode: 'chat' },
      ...{ input_cost_per_audio_token: 4e-5, output_cost_per_audio_token: 8e-5, supports_audio_output: true },
    },
    'dall-e-3': { output_cost_per_image: 0.04, litellm_provider: 'openai', mode: 'image_generation' },
    'whisper-1': {
      input_cost_per_second: 0.0001,
      output_cost_per_second: 0.0001,
      litellm_provider: 'openai',
      mode: 'audio_transcription',
    },
    'tts-1': { input_cost_per_character: 1.5e-5, litellm_provider: 'openai', mode: 'audio_speech' },
    'sora-2': { output_cost_per_video_per_second: 0.1, litellm_provider: 'openai', mode: 'video_generation' },
    'rerank-v3.5': {
      input_cost_per_query: 0.002,
      input_cost_per_token: 0,
      output_cost_per_token: 0,
      litellm_provider: 'cohere',
      mode: 'rerank',
    },
    'deepseek/deepseek-chat': {
      input_cost_per_token: 2.8e-7,
      output_cost_per_token: 4.2e-7,
      litellm_provider: 'deepseek',
    },
    'dashscope/qwen3-max': {
      litellm_provider: 'dashscope',
      tiered_pricing: [
        { range: [0, 32_000], input_cost_per_token: 1.2e-6, output_cost_per_token: 6e-6 },
        { range: [32_000, 128_000], input_cost_per_token: 2.4e-6, output_cost_per_token: 1.2e-5 },
      ],
    },
    'gpt-image-1': {
      ...{ input_cost_per_token: 5e-6, input_cost_per_image_token: 1e-5, output_cost_per_image_token: 4e-5 },
      ...{ litellm_provider: 'openai', mode: 'image_generation' },
    },
    'gemini-3-pro-image': {
      ...{ input_cost_per_token: 2e-6, output_cost_per_token: 1.2e-5, output_cost_per_image_token: 1.2e-4 },
      ...{ input_cost_per_token_batches: 1e-6, output_cost_per_token_batches: 6e-6, output_cost_per_image: 0.134 },
      ...{ litellm_provider: 'gemini', mode: 'image_generation' },
    },
    'free-tokens-paid-pictures': {
      ...{ input_cost_per_token: 0, output_cost_per_token: 0, output_cost_per_image: 0.039 },
      ...{ litellm_provider: 'gemini', mode: 'image_generation' },
    },
    'deepseek-r1': {
      ...{ input_cost_per_token: 5.5e-7, output_cost_per_token: 2.19e-6, input_cost_per_token_cache_hit: 1.4e-7 },
      litellm_provider: 'deepseek',
    },
    'a-machine-by-the-hour': { input_cost_per_second: 0.0175, litellm_provider: 'bedrock', mode: 'chat' },
    'by-the-page': { ocr_cost_per_page: 0.004, litellm_provider: 'mistral', mode: 'ocr' },
    'by-the-pixel': { input_cost_per_pixel: 1.9e-8, litellm_provider: 'openai', mode: 'image_generation' },
    'answers-alone': { output_cost_per_token: 1e-6, litellm_provider: 'x', mode: 'chat' },
    'a-clip': { input_cost_per_token: 0, output_cost_per_image: 0.04, litellm_provider: 'gemini', mode: 'chat' },
    'no-price': { litellm_provider: 'openai', max_tokens: 10 },
    'text-moderation': { input_cost_per_token: 0, output_cost_per_token: 0, litellm_provider: 'openai' },
    broken: { input_cost_per_token: -1, litellm_provider: 'x' },
    odd: 'text',
  }

  test.each<[string, Record<string, number>]>([
    ['claude-sonnet-4-5', { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75, cache_write_1h: 7.5 }],
    ['gpt-4o-audio-preview', { input: 2.5, output: 10, audio_input: 40, audio_output: 80 }],
    ['dall-e-3', { image: 0.04 }],
    ['whisper-1', { audio_duration: 6 }],
    ['tts-1', { characters: 15 }],
    ['sora-2', { video: 0.1 }],
    ['deepseek-chat', { input: 0.28, output: 0.42 }],
    ['qwen3-max', { input: 1.2, output: 6 }],
    ['text-moderation', { input: 0, output: 0 }],
    ['rerank-v3.5', { call: 0.002 }],
    ['gpt-image-1', { input: 5, image_input: 10, output: 40 }],
    ['gemini-3-pro-image', { input: 2, output: 120 }],
    ['free-tokens-paid-pictures', { call: 0.039 }],
    ['deepseek-r1', { input: 0.55, output: 2.19, cache_read: 0.14 }],
  ])('has the price of %s', (model, usd) => {
    expect(usdOf(file, model)).toMatchObject(usd)
  })

  it('has tiers, limits, what a model reads, and names what it cannot read', () => {
    const { shape, entries, skipped } = read(file)
    const of = (model: string) => entries.find((each) => each.model === model)!
    expect(shape).toBe('litellm')
    expect(of('claude-sonnet-4-5')).toMatchObject({
      ...{ context: 200_000, longest: 64_000, reads: ['text', 'image'], writes: ['text'], provider: 'anthropic' },
      price: {
        tiers: {
          prompt: [{ above: 200_000, factor: { input: 2, output: 1.5, cache_read: 2 } }],
          service: { batch: { input: 0.5, output: 0.5 } },
          cache: { '1h': 2 },
        },
      },
    })
    expect(of('qwen3-max').price.tiers).toEqual({ prompt: [{ above: 32_000, factor: { input: 2, output: 2 } }] })
    expect(of('gemini-3-pro-image').price.tiers).toEqual({ service: { batch: { input: 0.5, output: 0.5 } } })
    expect(skipped).toEqual([
      ...['a-machine-by-the-hour', 'by-the-page', 'by-the-pixel', 'answers-alone', 'a-clip'].map((model) => ({
        ...{ model, reason: 'unusable' },
      })),
      { model: 'no-price', reason: 'no_price' },
      { model: 'broken', reason: 'no_price' },
      { model: 'odd', reason: 'unusable' },
    ])
  })
})
