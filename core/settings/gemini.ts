// Settings of Gemini models.
import { words } from '../errors.ts'
import { z } from 'zod'
import { decimal, flag, json, setting } from './setting.ts'

const texts = z.record(z.string(), z.string())

export const geminiSettings = {
  'gemini.safety_settings': setting({
    value: json(texts, { default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' }),
    label: words('Safety settings', '安全设置'),
    help: words(
      'Threshold by harm category; default is for those not named',
      '各危害类别的阈值；default 用于未列出的类别',
    ),
    card: 'models.gemini',
    order: 10,
    writer: 'admin',
  }),
  'gemini.version_settings': setting({
    value: json(texts, { default: 'v1beta', 'gemini-1.0-pro': 'v1' }),
    label: words('API versions', '版本设置'),
    help: words('Version by model; default is for those not named', '各模型的 API 版本；default 用于未列出的模型'),
    card: 'models.gemini',
    order: 20,
    writer: 'admin',
  }),
  'gemini.supported_imagine_models': setting({
    value: json(z.array(z.string()), ['gemini-2.0-flash-exp-image-generation', 'gemini-2.0-flash-exp']),
    label: words('Models that answer with images', '支持的图像模型'),
    help: words('Asked for text and image output', '请求文本和图像输出'),
    card: 'models.gemini',
    order: 30,
    writer: 'admin',
  }),
  'gemini.thinking_adapter_enabled': setting({
    value: flag(false),
    label: words('Thinking by model name', '按模型名思考'),
    help: words(
      'A name that ends in -thinking or -nothinking switches thinking on or off',
      '以 -thinking 或 -nothinking 结尾的名称开启或关闭思考',
    ),
    card: 'models.gemini',
    order: 40,
    writer: 'admin',
  }),
  'gemini.thinking_adapter_budget_tokens_percentage': setting({
    value: decimal(0.6, { min: 0.1, max: 1 }),
    label: words('Thinking budget', '思考预算'),
    help: words(
      'Share of the largest answer that -thinking may think; budgets above 24576 tokens are ignored',
      '-thinking 可用于思考的最大回答占比；超过 24576 个 token 的预算会被忽略',
    ),
    card: 'models.gemini',
    order: 50,
    shownWhen: { 'gemini.thinking_adapter_enabled': true },
    writer: 'admin',
  }),
}
