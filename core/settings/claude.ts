// Settings of Claude models.
import { words } from '../errors.ts'
import { z } from 'zod'
import { HeaderName, HeaderValue } from './headers.ts'
import { choice, decimal, flag, json, setting } from './setting.ts'

const Headers = z.record(HeaderName, z.array(HeaderValue))

export const claudeSettings = {
  'claude.model_headers_settings': setting({
    value: json(z.record(z.string(), Headers), {}),
    label: words('Headers by model'),
    help: words('JSON {model: {header: [values]}}, sent with requests of that model'),
    card: 'models.claude',
    order: 10,
    writer: 'admin',
  }),
  'claude.default_max_tokens': setting({
    value: json(z.record(z.string(), z.number().int().min(1)), {}),
    label: words('Default output limit'),
    help: words("Tokens by model; default is for the others. Without either: the model's own limit, or 8192"),
    card: 'models.claude',
    order: 20,
    writer: 'admin',
  }),
  'claude.prompt_caching': setting({
    value: choice(['auto', 'always', 'never'], 'auto', [
      words('When it is likely to help'),
      words('Always'),
      words('Never'),
    ]),
    label: words('Cache prompts of translated calls'),
    help: words(
      'auto: if a second call is likely, with tools or after an answer. Cache markers of clients always stay',
    ),
    card: 'models.claude',
    order: 30,
    writer: 'admin',
  }),
  'claude.thinking_adapter_enabled': setting({
    value: flag(true),
    label: words('Thinking by model name'),
    help: words('A name that ends in -thinking switches thinking on'),
    card: 'models.claude',
    order: 40,
    writer: 'admin',
  }),
  'claude.thinking_adapter_budget_tokens_percentage': setting({
    value: decimal(0.8, { min: 0.1, max: 1 }),
    label: words('Thinking budget'),
    help: words('Share of the largest answer that -thinking may think'),
    card: 'models.claude',
    order: 50,
    shownWhen: { 'claude.thinking_adapter_enabled': true },
    writer: 'admin',
  }),
}
