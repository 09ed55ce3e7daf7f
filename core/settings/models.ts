// The facts of models that operators have taken over from lists.
import { z } from 'zod'
import { words } from '../errors.ts'
import { NO_REFRESHED_FACTS, type RefreshedFacts } from '../models/model-facts.ts'
import { OPERATIONS } from '../models/operation.ts'
import { choice, decimal, flag, json, setting } from './setting.ts'
import { HeaderName, HeaderValue } from './headers.ts'

const Tokens = z.number().int().min(0).max(1_000_000_000)
const Content = z.array(z.string().min(1).max(20)).max(20)

/** Facts of one model; a part that is missing is as it came with Weir. Limits are in tokens. */
export const StatedFacts = z.strictObject({
  context: Tokens.optional(),
  output: Tokens.optional(),
  kind: z.enum(OPERATIONS).optional(),
  reads: Content.optional(),
  writes: Content.optional(),
})
export type StatedFacts = z.infer<typeof StatedFacts>

export const modelSettings = {
  'models.facts': setting({
    value: json<RefreshedFacts>(z.record(z.string().min(1).max(200), StatedFacts), NO_REFRESHED_FACTS),
    label: words('Model facts'),
    help: words('Limits and modalities from lists, by model'),
    card: 'models.global',
    order: 90,
    writer: 'proven_admin',
  }),
}

// Settings of Gemini models.

const texts = z.record(z.string(), z.string())

export const geminiSettings = {
  'gemini.safety_settings': setting({
    value: json(texts, { default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' }),
    label: words('Safety settings'),
    help: words('Threshold by harm category; default is for those not named'),
    card: 'models.gemini',
    order: 10,
    writer: 'admin',
  }),
  'gemini.version_settings': setting({
    value: json(texts, { default: 'v1beta', 'gemini-1.0-pro': 'v1' }),
    label: words('API versions'),
    help: words('Version by model; default is for those not named'),
    card: 'models.gemini',
    order: 20,
    writer: 'admin',
  }),
  'gemini.supported_imagine_models': setting({
    value: json(z.array(z.string()), ['gemini-2.0-flash-exp-image-generation', 'gemini-2.0-flash-exp']),
    label: words('Models that answer with images'),
    help: words('Asked for text and image output'),
    card: 'models.gemini',
    order: 30,
    writer: 'admin',
  }),
  'gemini.thinking_adapter_enabled': setting({
    value: flag(false),
    label: words('Thinking by model name'),
    help: words('A name that ends in -thinking or -nothinking switches thinking on or off'),
    card: 'models.gemini',
    order: 40,
    writer: 'admin',
  }),
  'gemini.thinking_adapter_budget_tokens_percentage': setting({
    value: decimal(0.6, { min: 0.1, max: 1 }),
    label: words('Thinking budget'),
    help: words('Share of the largest answer that -thinking may think; budgets above 24576 tokens are ignored'),
    card: 'models.gemini',
    order: 50,
    shownWhen: { 'gemini.thinking_adapter_enabled': true },
    writer: 'admin',
  }),
}

// Settings of Claude models.

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
