// Settings of Gemini models.
import { words } from '../errors.ts'
import { z } from 'zod'
import { decimal, flag, json, setting } from './setting.ts'

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
