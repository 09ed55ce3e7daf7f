// Files with a state, made at random.
import fc from 'fast-check'
import { ALERT_KIND_NAMES } from '../../core/alerts/rule-kinds.ts'

/** Whoever has the address may post there. */
export const HOOK = 'https://hooks.example/T0/secret'
/** With a password in it. */
export const PROXY = 'http://ada:secret@proxy.example:8080'

const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/).filter((text) => !text.includes('--'))
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((one) => one.replace(/\p{Cc}|\p{Cs}/gu, '').trim())
const said = text.filter((one) => one !== '')
const model = fc.constantFrom('gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'my-own-model', 'veo-3.1')
const usd = fc.integer({ min: 1, max: 4000 }).map((cents) => cents / 100)

export const channelValues = {
  name: said,
  type: fc.constantFrom('openai', 'anthropic', 'gemini', 'deepseek', 'sandbox'),
  enabled: fc.boolean(),
  key: fc.constant('${ENV:ANY_KEY}'),
  base_url: fc.constantFrom('', 'https://provider.example/', 'http://127.0.0.1:9'),
  models: fc.array(model, { minLength: 1, maxLength: 4 }),
  groups: fc.constantFrom(['default'], ['default', 'vip']),
  model_mapping: fc.dictionary(model, fc.constantFrom('upstream-a', 'upstream-b'), { maxKeys: 2 }),
  status_code_mapping: fc.constantFrom({}, { '429': '503' }),
  param_override: fc.constantFrom({}, { temperature: 0 }),
  headers: fc.constantFrom(
    {},
    { 'X-Team': '${ENV:ANY_HEADER}' },
    { 'X.A': '${ENV:ANY_KEY}', 'X-B': '${ENV:ANY_HEADER}' },
  ),
  proxy: fc.constantFrom('', 'http://proxy.example:8080', PROXY),
  setting: fc.constantFrom({}, { force_format: true, idle_timeout_seconds: 40 }),
  auto_ban: fc.boolean(),
  priority: fc.integer({ min: -9, max: 9 }),
  weight: fc.nat(9),
  tag: fc.option(said, { nil: null }),
  key_mode: fc.constantFrom('', 'random', 'turn'),
  other: fc.constantFrom('', '2024-10-21'),
  openai_organization: fc.constantFrom('', 'org-weir'),
  test_model: model,
  max_input_tokens: fc.nat(1_000_000),
  remark: fc.constantFrom('', 'ask Ada first'),
}
const channel = fc.record(channelValues, { requiredKeys: ['name', 'models', 'key'] })
const price = fc.oneof(
  fc.record({ usd: fc.record({ input: usd, output: usd, cache_read: usd }, { requiredKeys: ['input'] }) }),
  fc.record({ usd: fc.record({ call: usd }) }),
  fc.record({ model_ratio: usd, completion_ratio: usd }),
)
export const alertValues = {
  kind: fc.constantFrom(...ALERT_KIND_NAMES),
  threshold: fc.nat(1000),
  enabled: fc.boolean(),
  minutes: fc.integer({ min: 15, max: 600 }),
  model,
  group: fc.constantFrom('', 'default'),
  mails: fc.constantFrom('', 'ada@example.com'),
  webhook_url: fc.constantFrom('', '${ENV:ANY_HOOK}'),
  webhook_secret: fc.constant('${ENV:ANY_HEADER}'),
  language: fc.constantFrom('both', 'zh'),
  least: fc.nat(100),
  channel: fc.constant(''),
  root: fc.boolean(),
  webhook_format: fc.constantFrom('weir', 'feishu', 'slack'),
  quiet_minutes: fc.nat(500),
}
const alert = fc.record(alertValues, { requiredKeys: ['kind', 'threshold'] })
const sections = {
  settings: fc.record(
    {
      SystemName: text,
      RetryTimes: fc.nat(9),
      Footer: fc.constantFrom('', '${ENV:NOT_A_REFERENCE}', '$${file:x}', 'a: "b" # c\n- d'),
      SMTPToken: fc.constantFrom('${ENV:ANY_MAIL}'),
      Chats: fc.constant([{ Cherry: 'cherry://{key}' }]),
      ApiRateLimits: fc.constant({ api: [0, 60] }),
      ServerAddress: fc.constant('https://weir.example/'),
    },
    { requiredKeys: [] },
  ),
  groups: fc.dictionary(
    name,
    fc.record({
      ratio: usd,
      description: fc.option(said, { nil: null }),
      special: fc.constantFrom({}, { vip: 0.5 }),
    }),
    { maxKeys: 3 },
  ),
  channels: fc.dictionary(name, channel, { maxKeys: 4 }),
  prices: fc.dictionary(fc.oneof(model, fc.constant('my-own-*')), price, { maxKeys: 4 }),
  tool_prices: fc.dictionary(fc.constantFrom('web_search', 'my_tool'), usd, { maxKeys: 2 }),
  sign_in_services: fc.dictionary(
    name.map((one) => `corp-${one}`.slice(0, 20).replace(/-+$/, '')),
    fc.record({
      name: said,
      well_known: fc.constant('https://id.example/.well-known/openid-configuration'),
      client_id: fc.constant('weir'),
      client_secret: fc.constant('${ENV:ANY_CLIENT}'),
    }),
    { maxKeys: 2 },
  ),
  alerts: fc.dictionary(said, alert, { maxKeys: 3 }),
  teams: fc.dictionary(said, fc.constant({}), { maxKeys: 2 }),
  redemptions: fc.dictionary(said, fc.record({ '500': fc.integer({ min: 1, max: 3 }) }), { maxKeys: 2 }),
}

/** What a file may say, in the ways in which people write it. */
export const states = fc.record(sections, { requiredKeys: [] })

/** Files that say something of everything. */
export const wholeStates = fc.record(sections)
