// The personal data in each table: the exported columns, and the result of an erasure. Every table and every column
// must be listed; a test fails for a missing one.
import { LOG_COLUMN_LIST, type LogColumn } from '../calls/log-columns.ts'

/** Replaced by the name of an erased user. */
export const FORGOTTEN_NAME = Symbol('name')
/** Replaced by a name that is unique per row. */
export const OWN_NAME = Symbol('name with the number of the row')

/** The value of a column after an erasure. */
export type ErasedValue = string | null | typeof FORGOTTEN_NAME | typeof OWN_NAME

export interface Holding {
  /** The column with the user's id. */
  of: string
  /** Exported columns. */
  given: readonly string[]
  /** Columns that are not exported: secrets, and data that is not about the user. */
  withheld: readonly string[]
  /** `removed` deletes the rows; otherwise they stay with these values. */
  forgotten: 'removed' | Readonly<Record<string, ErasedValue>>
  /** The reason if the rows stay. */
  because?: string
}

/** A table without personal data, with the reason. */
export interface NoHolding {
  nobody: string
}

/** Rows of the log are also in other stores, and are removed in steps (`core/logs/`). */
export const LOG_TABLE = 'logs'

/** The export of a log column is declared with the column. */
const ofLog = (own: LogColumn['own']): string[] =>
  LOG_COLUMN_LIST.filter((column) => column.own === own).map(({ name, column }) => column ?? name)

const MONEY = 'money moved, and whoever keeps accounts has to keep that'

export const HOLDINGS: Readonly<Record<string, Holding | NoHolding>> = {
  users: {
    of: 'id',
    given: [
      ...['id', 'username', 'display_name', 'role', 'status', 'email', 'group', 'aff_code', 'inviter_id', 'setting'],
      ...['created_time', 'warned_time', 'deleted_at'],
    ],
    withheld: ['password_hash', 'looks', 'version', 'remark'],
    forgotten: {
      username: FORGOTTEN_NAME,
      display_name: '',
      email: '',
      password_hash: '',
      aff_code: null,
      setting: '',
      looks: '',
      remark: '',
    },
    because: 'entries of the ledger and sums of usage name the account by its number',
  },
  accounts: {
    of: 'id',
    given: ['quota', 'used_quota', 'request_count', 'aff_quota', 'aff_history', 'aff_count'],
    withheld: ['id', 'kind', 'held', 'entries_hash'],
    forgotten: {},
    because: MONEY,
  },
  identities: {
    of: 'user_id',
    given: ['provider', 'subject', 'created_time'],
    withheld: ['user_id'],
    forgotten: 'removed',
  },
  sessions: {
    of: 'user_id',
    given: ['id', 'ip', 'user_agent', 'created_time', 'used_time', 'proven_time', 'expires_time'],
    withheld: ['id_hash', 'user_id'],
    forgotten: 'removed',
  },
  known_browsers: {
    of: 'user_id',
    given: ['used_time'],
    withheld: ['user_id', 'browser_hash'],
    forgotten: 'removed',
  },
  passkeys: {
    of: 'user_id',
    given: ['id', 'name', 'public_key', 'transports', 'created_time', 'used_time'],
    withheld: ['user_id', 'counter'],
    forgotten: 'removed',
  },
  second_factors: {
    of: 'user_id',
    given: ['confirmed_time'],
    withheld: ['user_id', 'secret_sealed', 'last_step'],
    forgotten: 'removed',
  },
  backup_codes: { of: 'user_id', given: [], withheld: ['user_id', 'code_hash'], forgotten: 'removed' },
  access_tokens: {
    of: 'user_id',
    given: ['id', 'name', 'scope', 'created_time', 'used_time', 'expired_time'],
    withheld: ['user_id', 'token_hash'],
    forgotten: 'removed',
  },
  tokens: {
    of: 'user_id',
    given: [
      ...['id', 'name', 'slug', 'key_prefix', 'status', 'group', 'team_id', 'created_time', 'accessed_time'],
      ...['expired_time', 'deleted_at', 'remain_quota', 'unlimited_quota', 'used_quota', 'model_limits_enabled'],
      ...['model_limits', 'fallback_models', 'allow_ips', 'budget_day', 'budget_week', 'budget_month', 'time_zone'],
      ...['requests_per_minute', 'tokens_per_minute', 'max_concurrent'],
    ],
    withheld: ['user_id', 'key_hash', 'key_sealed', 'digest_sealed', 'digest_hash', 'held', 'version'],
    forgotten: { name: '', allow_ips: '', slug: OWN_NAME },
    because: 'entries of the ledger and sums of usage name tokens by their numbers',
  },
  team_members: {
    of: 'user_id',
    given: ['team_id', 'role', 'created_time', 'budget_day', 'budget_month'],
    withheld: ['user_id', 'version'],
    forgotten: 'removed',
  },
  team_invitations: {
    of: 'user_id',
    given: ['team_id', 'username', 'role', 'budget_day', 'budget_month', 'created_time', 'expires_time'],
    withheld: ['id', 'user_id', 'invited_by'],
    forgotten: 'removed',
  },
  team_views: { nobody: 'filters of lists that belong to a team' },
  body_keys: {
    of: 'user_id',
    given: ['recipient', 'every_token', 'token_ids', 'created_time'],
    withheld: ['user_id'],
    forgotten: 'removed',
  },
  kept_bodies: {
    of: 'user_id',
    given: ['id', 'request_id', 'token_id', 'created_at', 'bytes', 'sealed'],
    withheld: ['user_id'],
    forgotten: 'removed',
  },
  refused_requests: {
    of: 'user_id',
    given: ['request_id', 'row_request_id', 'minute', 'token_id'],
    withheld: ['user_id', 'row_id'],
    forgotten: 'removed',
  },
  kept_responses: {
    of: 'user_id',
    given: ['created_at', 'token_id', 'model', 'bytes', 'account_id'],
    withheld: ['id_hash', 'user_id', 'channel_id', 'key', 'sealed'],
    forgotten: 'removed',
  },
  owned_objects: {
    // Objects of a team stay with the team. An id without a row is accessible to no one.
    of: 'account_id',
    given: ['kind', 'id', 'user_id', 'token_id', 'model', 'created_at', 'expires_at'],
    withheld: ['account_id', 'channel_id', 'key', 'stem', 'items'],
    forgotten: 'removed',
  },
  tasks: {
    of: 'user_id',
    given: [
      ...['id', 'platform', 'action', 'task_id', 'status', 'progress', 'fail_reason', 'quota', 'refunded', 'model'],
      ...['group', 'token_id', 'token_name', 'prompt', 'prompt_en', 'image_url', 'files', 'details', 'asked', 'data'],
      ...['hook', 'request_id', 'created_at', 'submit_time', 'start_time', 'finish_time', 'updated_at', 'account_id'],
    ],
    withheld: [
      ...['user_id', 'username', 'channel_id', 'upstream_id', 'format', 'key', 'terms', 'look', 'by_user_id', 'code'],
      ...['polls', 'failures', 'notify_key', 'due_at', 'lease_until'],
    ],
    forgotten: {
      username: FORGOTTEN_NAME,
      token_name: '',
      prompt: '',
      prompt_en: '',
      image_url: '',
      files: '',
      details: '',
      asked: '',
      data: '',
      hook: '',
      fail_reason: '',
    },
    because: 'one that is still going on may have to be given back, and its account is found by it',
  },
  topups: {
    of: 'user_id',
    given: [
      ...['id', 'trade_no', 'provider', 'method', 'amount', 'money', 'currency', 'quota', 'status', 'create_time'],
      ...['paid_time', 'provider_trade_no', 'cancelled_time', 'reports'],
    ],
    withheld: ['user_id', 'note', 'noted_by', 'noted_time', 'needs_review'],
    forgotten: { note: '' },
    because: MONEY,
  },
  redemptions: {
    of: 'used_user_id',
    given: ['id', 'name', 'quota', 'redeemed_time'],
    withheld: [
      ...['user_id', 'key_sealed', 'key_hash', 'status', 'created_time', 'expired_time', 'used_user_id', 'deleted'],
      ...['remark', 'version'],
    ],
    forgotten: { remark: '' },
    because: MONEY,
  },
  ledger_entries: {
    of: 'account_id',
    given: [
      ...['id', 'kind', 'amount', 'balance_after', 'token_id', 'reference', 'request_id', 'created_at', 'detail'],
      'by_user_id',
    ],
    withheld: ['account_id', 'hold_id', 'cost', 'hash'],
    forgotten: {},
    because: 'each entry proves the one before it; it has numbers, and in its detail the reason that was typed with it',
  },
  audit: {
    of: 'user_id',
    given: ['id', 'created_at', 'via', 'ip', 'request_id', 'action', 'target'],
    // The changed object may be another user's.
    withheld: ['user_id', 'username', 'before', 'after'],
    forgotten: { username: FORGOTTEN_NAME, ip: '' },
    because: 'what was changed stays changed, and has to be explained',
  },
  price_changes: {
    of: 'user_id',
    given: ['id', 'created_at', 'model', 'channel', 'before', 'after', 'source'],
    withheld: ['user_id', 'username'],
    forgotten: { username: FORGOTTEN_NAME },
    because: 'prices of old bills are found by it',
  },
  channel_tests: {
    of: 'user_id',
    given: ['id', 'tested_at', 'model', 'passed', 'ms', 'status', 'error'],
    withheld: ['channel_id', 'user_id', 'username'],
    forgotten: { username: FORGOTTEN_NAME },
    because: 'it tells of the channel',
  },
  [LOG_TABLE]: {
    of: 'user_id',
    given: ofLog('given'),
    withheld: ofLog('withheld'),
    forgotten: 'removed',
  },
  usage_sums: { nobody: 'numbers alone: sums of what the log and the ledger tell in rows' },
  usage_days: { nobody: 'numbers alone: sums of what the log and the ledger tell in rows' },
  usage_totals: { nobody: 'sums over everybody' },
  usage_total_days: { nobody: 'sums over everybody' },
  teams: { nobody: 'a team has a name of its own, and people only as members' },
  channels: { nobody: 'the way to a provider' },
  channel_hours: { nobody: 'how a channel did' },
  options: { nobody: 'settings of the site' },
  login_providers: { nobody: 'services that people may sign in with' },
  managed: { nobody: 'which settings come from a file' },
  alert_rules: { nobody: 'who is told is written there by administrators, and changed by them' },
  alert_samples: { nobody: 'what was seen of the site' },
  alerts: { nobody: 'what befell the site' },
  dead_letters: { nobody: 'a charge that waits to be booked; names in it are replaced as in the audit' },
  holds: { nobody: 'calls in progress' },
  leases: { nobody: 'which processes are alive' },
  limit_counters: { nobody: 'counts of the last minutes' },
  rate_counters: { nobody: 'counts of the last minutes' },
  verifications: { nobody: 'codes that were sent, by keyed hash; gone in minutes' },
  device_requests: { nobody: 'sign-ins of programs that are waited for; gone in minutes' },
  channel_charges: { nobody: 'what channels were charged' },
  journal_places: { nobody: 'how far files were read' },
  log_places: { nobody: 'how far rows were moved' },
  forgotten: { nobody: 'which numbers are forgotten' },
  import_sources: { nobody: 'what was moved in' },
  import_marks: { nobody: 'what was moved in' },
  imported: { nobody: 'which number there is which number here' },
  installation: { nobody: 'keys of this installation' },
  setups: { nobody: 'when it was set up' },
}

/** JSON in others' rows that may name the user. */
export interface Mentions {
  key: string
  columns: readonly string[]
  /** Rows that are only about the user, by number: all names in them are replaced. */
  about?: { target: string; actions: string }
}
export const MENTIONS: Readonly<Record<string, Mentions>> = {
  audit: { key: 'id', columns: ['before', 'after'], about: { target: 'target', actions: 'user.%' } },
  dead_letters: { key: 'hold_id', columns: ['charge'] },
}

export const isHolding = (known: Holding | NoHolding | undefined): known is Holding =>
  known !== undefined && 'of' in known
