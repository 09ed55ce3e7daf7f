// The neutral form of rows from another product. The rules of each product turn its rows into these types, and one
// place creates accounts, tokens and channels from them. Ids are those of the source, as texts.
import { z } from 'zod'

export const IMPORT_PRODUCTS = ['new-api', 'one-api', 'one-hub', 'litellm', 'bifrost'] as const
export type ImportProduct = (typeof IMPORT_PRODUCTS)[number]

const Said = z.object({ en: z.string(), zh: z.string() })
const amount = z.number().int()
const seconds = z.number().int().min(0)
const label = { id: z.string(), name: z.string(), notes: z.array(Said).default([]) }

const ImportedUser = z.object({
  kind: z.literal('user'),
  ...label,
  username: z.string(),
  display_name: z.string(),
  /** The bcrypt hash; empty for an account without a password. */
  password_hash: z.string(),
  role: z.number().int(),
  status: z.number().int(),
  email: z.string(),
  group: z.string(),
  quota: amount,
  used_quota: amount,
  request_count: amount,
  aff_code: z.string(),
  aff_count: amount,
  aff_quota: amount,
  aff_history: amount,
  /** Id of the user who sent the invitation. */
  inviter: z.string(),
  /** JSON of UserSetting. */
  setting: z.string(),
  access_token: z.string(),
  /** Identities at other services, by service. */
  identities: z.record(z.string(), z.string()),
  remark: z.string().optional(),
  deleted_at: seconds.nullable(),
})
export type ImportedUser = z.infer<typeof ImportedUser>

const ImportedToken = z.object({
  kind: z.literal('token'),
  ...label,
  user: z.string(),
  /** Without `sk-`; empty where only its hash is known. */
  key: z.string(),
  /** SHA-256 in hex of what clients send, where the key itself is not known. */
  key_digest: z
    .string()
    .regex(/^([0-9a-f]{64})?$/)
    .default(''),
  status: z.number().int(),
  created_time: seconds,
  accessed_time: seconds,
  expired_time: z.number().int(),
  remain_quota: amount,
  unlimited_quota: z.boolean(),
  used_quota: amount,
  model_limits_enabled: z.boolean(),
  model_limits: z.string(),
  allow_ips: z.string(),
  group: z.string(),
  /** Quota units that may be charged in each day, week and month; 0 for no budget. */
  budget_day: seconds.default(0),
  budget_week: seconds.default(0),
  budget_month: seconds.default(0),
  /** 0 for no limit. */
  requests_per_minute: seconds.default(0),
  tokens_per_minute: seconds.default(0),
  max_concurrent: seconds.default(0),
  deleted_at: seconds.nullable(),
})
export type ImportedToken = z.infer<typeof ImportedToken>

const ImportedChannel = z.object({
  kind: z.literal('channel'),
  ...label,
  type: z.number().int(),
  key: z.string(),
  key_mode: z.string(),
  openai_organization: z.string(),
  test_model: z.string(),
  status: z.number().int(),
  weight: z.number().int(),
  priority: z.number().int(),
  created_time: seconds,
  test_time: seconds,
  response_time: amount,
  base_url: z.string(),
  other: z.string(),
  balance: z.number(),
  balance_updated_time: seconds,
  models: z.string(),
  group: z.string(),
  used_quota: amount,
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  auto_ban: z.number().int(),
  other_info: z.string(),
  tag: z.string().nullable(),
  setting: z.string(),
  param_override: z.string(),
  remark: z.string().optional(),
})
export type ImportedChannel = z.infer<typeof ImportedChannel>

/** A setting of Weir, as a text. */
const ImportedOption = z.object({ kind: z.literal('option'), ...label, key: z.string(), value: z.string() })
export type ImportedOption = z.infer<typeof ImportedOption>

/** The price of a model that one row states completely. */
const ImportedPrice = z.object({
  kind: z.literal('price'),
  ...label,
  /** JSON of PriceFields; empty if calls of the model were refused there. */
  price: z.string(),
})
export type ImportedPrice = z.infer<typeof ImportedPrice>

const ImportedCode = z.object({
  kind: z.literal('redemption'),
  ...label,
  key: z.string(),
  quota: amount,
  status: z.number().int(),
  created_time: seconds,
  redeemed_time: seconds,
  /** The last second in which it can be redeemed; 0 or undefined for no end. */
  expired_time: seconds.optional(),
  remark: z.string().optional(),
  user: z.string(),
  used_by: z.string(),
  is_deleted: z.boolean(),
})
export type ImportedCode = z.infer<typeof ImportedCode>

const ImportedOrder = z.object({
  kind: z.literal('topup'),
  ...label,
  user: z.string(),
  trade_no: z.string(),
  /** Units of the currency that were bought. */
  amount,
  /** Hundredths that were paid. */
  money: amount,
  quota: amount,
  status: z.enum(['pending', 'success', 'expired']),
  create_time: seconds,
})
export type ImportedOrder = z.infer<typeof ImportedOrder>

/** The rows that are imported in one transaction. */
export const ConfigurationImportRow = z.discriminatedUnion('kind', [
  ...[ImportedUser, ImportedToken, ImportedChannel, ImportedOption, ImportedPrice, ImportedCode, ImportedOrder],
] as [
  typeof ImportedUser,
  typeof ImportedToken,
  typeof ImportedChannel,
  typeof ImportedOption,
  typeof ImportedPrice,
  typeof ImportedCode,
  typeof ImportedOrder,
])
export type ConfigurationImportRow = z.infer<typeof ConfigurationImportRow>

const ImportedLogRow = z.object({
  kind: z.literal('log'),
  ...label,
  type: z.number().int(),
  created_at: seconds,
  user: z.string(),
  username: z.string(),
  /** Empty where only its name is known. */
  token: z.string(),
  token_name: z.string(),
  channel: z.string(),
  group: z.string(),
  model_name: z.string(),
  use_time: amount,
  is_stream: z.boolean(),
  prompt_tokens: amount,
  completion_tokens: amount,
  quota: amount,
  content: z.string(),
  /** JSON. */
  other: z.string(),
  request_id: z.string(),
})
export type ImportedLogRow = z.infer<typeof ImportedLogRow>

const ImportedTask = z.object({
  kind: z.literal('task'),
  ...label,
  user: z.string(),
  channel: z.string(),
  platform: z.string(),
  task_id: z.string(),
  action: z.string(),
  model: z.string(),
  status: z.string(),
  progress: z.string(),
  fail_reason: z.string(),
  code: z.number().int(),
  prompt: z.string(),
  prompt_en: z.string(),
  image_url: z.string(),
  data: z.string(),
  details: z.string(),
  quota: amount,
  created_at: seconds,
  /** Epoch ms. */
  submit_time: amount,
  start_time: amount,
  finish_time: amount,
})
export type ImportedTask = z.infer<typeof ImportedTask>

/** The rows that are imported as history, in batches. */
export const HistoryImportRow = z.discriminatedUnion('kind', [ImportedLogRow, ImportedTask])
export type HistoryImportRow = z.infer<typeof HistoryImportRow>

export type ImportedRow = ConfigurationImportRow | HistoryImportRow

/** The result for a row: imported as it was, imported with changes, skipped, or already imported. */
export const IMPORT_OUTCOMES = ['came', 'changed', 'left', 'known'] as const
export type ImportedRowOutcome = (typeof IMPORT_OUTCOMES)[number]

/** A row that was not imported unchanged, with the reason. */
export const ImportLine = z.object({
  kind: z.string(),
  /** Its id at the source. */
  id: z.string(),
  name: z.string(),
  outcome: z.enum(IMPORT_OUTCOMES),
  why: Said,
})
z.globalRegistry.add(ImportLine, { id: 'ImportLine' })
export type ImportLine = z.infer<typeof ImportLine>

/** How many rows of each kind became what. */
export const ImportCount = z.object({
  kind: z.string(),
  came: z.number(),
  changed: z.number(),
  left: z.number(),
  known: z.number(),
})
z.globalRegistry.add(ImportCount, { id: 'ImportCount' })
export type ImportCount = z.infer<typeof ImportCount>
