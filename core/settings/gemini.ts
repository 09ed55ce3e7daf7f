// Settings of Gemini models.
import { z } from 'zod'
import { decimal, flag, json, setting } from './setting.ts'

const section = 'gemini'
const texts = z.record(z.string(), z.string())

export const geminiSettings = {
  'gemini.safety_settings': setting({
    value: json(texts, { default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' }),
    label: 'Safety settings',
    help: 'Threshold by harm category; default is for those not named',
    section,
    writer: 'admin',
  }),
  'gemini.version_settings': setting({
    value: json(texts, { default: 'v1beta', 'gemini-1.0-pro': 'v1' }),
    label: 'API versions',
    help: 'Version by model; default is for those not named',
    section,
    writer: 'admin',
  }),
  'gemini.supported_imagine_models': setting({
    value: json(z.array(z.string()), ['gemini-2.0-flash-exp-image-generation', 'gemini-2.0-flash-exp']),
    label: 'Models that answer with images',
    help: 'Asked for text and image output',
    section,
    writer: 'admin',
  }),
  'gemini.thinking_adapter_enabled': setting({
    value: flag(false),
    label: 'Thinking by model name',
    help: 'A name that ends in -thinking or -nothinking switches thinking on or off',
    section,
    writer: 'admin',
  }),
  'gemini.thinking_adapter_budget_tokens_percentage': setting({
    value: decimal(0.6, { min: 0.1, max: 1 }),
    label: 'Thinking budget',
    help: 'Share of the largest answer that -thinking may think; budgets above 24576 tokens are ignored',
    section,
    writer: 'admin',
  }),
}
