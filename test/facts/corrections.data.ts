// Facts where both lists are wrong or silent, each with its source. `npm run facts` refuses one that the lists agree with by
// now: it is taken out then.
import type { Correction } from './correct.ts'

export const corrections: readonly Correction[] = [
  {
    name: 'gpt-6.2-sol',
    vendor: 'openai',
    source: "OpenAI's page of the model and its price list, read on 17 November 2026: newer than both lists",
    facts: {
      context: 1_050_000,
      output: 128_000,
      released: '2026-11-17',
      reads: 'text image pdf',
      usd: { input: 2, output: 10, cache_read: 0.1, cache_write: 2.5 },
    },
  },
  {
    name: 'gpt-6.2-astra',
    vendor: 'openai',
    source: "OpenAI's price list, 17 November 2026: newer than both lists. Limits as in pi-ai 1.6.0, a list of 20 November",
    facts: {
      context: 1_050_000,
      output: 128_000,
      released: '2026-11-17',
      reads: 'text image pdf',
      usd: { input: 8, output: 40, cache_read: 0.4, cache_write: 10 },
    },
  },
  {
    name: 'gpt-6.1-terra',
    vendor: 'openai',
    source: "OpenAI's page of the model, 26 October 2026: LiteLLM has no days, models.dev not yet the model",
    facts: { released: '2026-10-26' },
  },
  {
    name: 'claude-mythos-5-1',
    vendor: 'anthropic',
    source: "Anthropic's announcement of 1 September 2026: not in models.dev",
    facts: { released: '2026-09-01' },
  },
  {
    name: 'claude-sonnet-4-5',
    vendor: 'anthropic',
    source: "Anthropic's page of context windows: 1,000,000 tokens only with a beta header, which models.dev leaves out",
    facts: { context: 200_000 },
  },
  {
    name: 'claude-3-7-sonnet',
    vendor: 'anthropic',
    source: "Anthropic's overview of models: LiteLLM has Bedrock's old limit",
    facts: { output: 64_000 },
  },
  {
    name: 'claude-3-sonnet',
    vendor: 'anthropic',
    source: "Anthropic's overview of models; ended, and still served by clouds, which refuse a longer answer",
    facts: { context: 200_000, output: 4_096, released: '2024-03-04', reads: 'text image' },
  },
  {
    name: 'claude-3-haiku',
    vendor: 'anthropic',
    source: "Anthropic's overview of models; ended, and still served by clouds, which refuse a longer answer",
    facts: {
      context: 200_000,
      output: 4_096,
      released: '2024-03-13',
      reads: 'text image',
      usd: { input: 0.25, output: 1.25, cache_read: 0.03, cache_write: 0.3 },
    },
  },
  {
    name: 'gpt-oss-120b',
    vendor: 'openai',
    source: "OpenAI's model card: open weights, which others serve at prices of their own",
    facts: { context: 131_072, output: 32_768, released: '2025-08-05' },
  },
  {
    name: 'gpt-oss-safeguard-120b',
    vendor: 'openai',
    source: "OpenAI's model card: open weights, which others serve at prices of their own",
    facts: { context: 131_072, output: 32_768, released: '2025-10-29' },
  },
  {
    name: 'deepseek-chat',
    vendor: 'deepseek',
    source: 'models.dev of July 2026: a name of DeepSeek V4 Flash, which others still use. LiteLLM has the limits of V3',
    facts: { context: 1_000_000, output: 384_000, released: '2025-12-01' },
  },
  {
    name: 'deepseek-reasoner',
    vendor: 'deepseek',
    source: 'models.dev of July 2026: a name of DeepSeek V4 Flash, which others still use. LiteLLM has the limits of V3',
    facts: { context: 1_000_000, output: 384_000, released: '2025-12-01' },
  },
  {
    name: 'kimi-k2-thinking',
    vendor: 'moonshotai',
    source: 'models.dev of July 2026, which has left it out since',
    facts: {
      context: 262_144,
      output: 262_144,
      released: '2025-11-06',
      usd: { input: 0.6, output: 2.5, cache_read: 0.15 },
    },
  },
  {
    name: 'kimi-k2-turbo-preview',
    vendor: 'moonshotai',
    source: 'models.dev of July 2026, which has left it out since',
    facts: { context: 262_144, output: 262_144, released: '2025-09-05', usd: { input: 1.15, output: 8, cache_read: 0.15 } },
  },
  {
    name: 'embed-multilingual-light-v3.0',
    vendor: 'cohere',
    source: "Cohere's price list: LiteLLM has a thousand times as much",
    facts: { usd: { input: 0.1 } },
  },
  {
    name: 'glm-4.5-flash',
    vendor: 'zai',
    source: "Z.AI's price list: free, where a price of 0 is not taken from a list",
    facts: { usd: { input: 0 } },
  },
  {
    name: 'glm-4.7-flash',
    vendor: 'zai',
    source: "Z.AI's price list: free, where a price of 0 is not taken from a list",
    facts: { usd: { input: 0 } },
  },
  {
    name: 'qwen-image-plus',
    vendor: 'alibaba',
    source: "Alibaba Cloud's price list of Model Studio (international): in neither list",
    facts: { kind: 'images', writes: 'image', usd: { call: 0.03 } },
  },
  {
    name: 'wan2.1-t2i-plus',
    vendor: 'alibaba',
    source: "Alibaba Cloud's price list of Model Studio (international): in neither list",
    facts: { kind: 'images', writes: 'image', usd: { call: 0.05 } },
  },
  {
    name: 'wan2.1-t2i-turbo',
    vendor: 'alibaba',
    source: "Alibaba Cloud's price list of Model Studio (international): in neither list",
    facts: { kind: 'images', writes: 'image', usd: { call: 0.025 } },
  },
]
