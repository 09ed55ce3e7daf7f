// Settings of Claude models.
import { z } from 'zod'
import { HeaderName, HeaderValue } from './headers.ts'
import { choice, decimal, flag, json, setting } from './setting.ts'

const section = 'claude'

const Headers = z.record(HeaderName, z.array(HeaderValue))

export const claude = {
  'claude.model_headers_settings': setting({
    value: json(z.record(z.string(), Headers), {}),
    label: 'Headers by model',
    help: 'JSON {model: {header: [values]}}, sent with requests of that model',
    section,
    writer: 'admin',
  }),
  'claude.default_max_tokens': setting({
    value: json(z.record(z.string(), z.number().int().min(1)), {}),
    label: 'Largest answer where none is asked for',
    help: "Tokens by model; default is for those not named. Where neither is said: the model's own limit, or 8192",
    section,
    writer: 'admin',
  }),
  'claude.prompt_caching': setting({
    value: choice(['auto', 'always', 'never'], 'auto'),
    label: 'Cache prompts of translated calls',
    help: 'auto: where a second call is likely, with tools or after an answer. What callers mark themselves is always kept',
    section,
    writer: 'admin',
  }),
  'claude.thinking_adapter_enabled': setting({
    value: flag(true),
    label: 'Thinking by model name',
    help: 'A name that ends in -thinking switches thinking on',
    section,
    writer: 'admin',
  }),
  'claude.thinking_adapter_budget_tokens_percentage': setting({
    value: decimal(0.8, { min: 0.1, max: 1 }),
    label: 'Thinking budget',
    help: 'Share of the largest answer that -thinking may think',
    section,
    writer: 'admin',
  }),
}
