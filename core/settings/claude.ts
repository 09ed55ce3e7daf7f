// Settings of Claude models.
import { words } from '../errors.ts'
import { z } from 'zod'
import { HeaderName, HeaderValue } from './headers.ts'
import { choice, decimal, flag, json, setting } from './setting.ts'

const Headers = z.record(HeaderName, z.array(HeaderValue))

export const claude = {
  'claude.model_headers_settings': setting({
    value: json(z.record(z.string(), Headers), {}),
    label: words('Headers by model', '请求头覆盖'),
    help: words(
      'JSON {model: {header: [values]}}, sent with requests of that model',
      'JSON {模型: {请求头: [值]}}，随该模型的请求发送',
    ),
    card: 'models.claude',
    order: 10,
    writer: 'admin',
  }),
  'claude.default_max_tokens': setting({
    value: json(z.record(z.string(), z.number().int().min(1)), {}),
    label: words('Largest answer where none is asked for', '缺省 MaxTokens'),
    help: words(
      "Tokens by model; default is for the others. Without either: the model's own limit, or 8192",
      '各模型的 token 数；default 用于未列出的模型。都未填写时使用模型自身的上限，或 8192',
    ),
    card: 'models.claude',
    order: 20,
    writer: 'admin',
  }),
  'claude.prompt_caching': setting({
    value: choice(['auto', 'always', 'never'], 'auto', [
      words('When it is likely to help', '可能有用时'),
      words('Always', '始终'),
      words('Never', '从不'),
    ]),
    label: words('Cache prompts of translated calls', '缓存转换调用的提示'),
    help: words(
      'auto: if a second call is likely, with tools or after an answer. Marks of callers are always kept',
      'auto：可能有后续调用时，即带有工具或已有回答时。调用方自行标记的始终保留',
    ),
    card: 'models.claude',
    order: 30,
    writer: 'admin',
  }),
  'claude.thinking_adapter_enabled': setting({
    value: flag(true),
    label: words('Thinking by model name', '按模型名思考'),
    help: words('A name that ends in -thinking switches thinking on', '以 -thinking 结尾的名称开启思考'),
    card: 'models.claude',
    order: 40,
    writer: 'admin',
  }),
  'claude.thinking_adapter_budget_tokens_percentage': setting({
    value: decimal(0.8, { min: 0.1, max: 1 }),
    label: words('Thinking budget', '思考预算'),
    help: words('Share of the largest answer that -thinking may think', '-thinking 可用于思考的最大回答占比'),
    card: 'models.claude',
    order: 50,
    shownWhen: { 'claude.thinking_adapter_enabled': true },
    writer: 'admin',
  }),
}
