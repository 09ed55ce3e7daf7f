// What each table holds of a person: what they are given of it, and what becomes of it when they are to be forgotten. Every
// table and every column stands here; a test fails where a new one does not.
import { LOG_COLUMN_LIST, type LogColumn } from '../calls/log-columns.ts'

/** Stands for the name that somebody has who was forgotten. */
export const FORGOTTEN_NAME = Symbol('name')
/** Stands for a name that no two rows have. */
export const OWN_NAME = Symbol('name with the number of the row')

/** What stands in a column afterwards. */
export type Emptied = string | null | typeof FORGOTTEN_NAME | typeof OWN_NAME

export interface Holding {
  /** The column with the person's id. */
  of: string
  /** Columns that they are given. */
  given: readonly string[]
  /** Columns that they are not: secrets, and what says nothing of them. */
  withheld: readonly string[]
  /** Rows go, or stay with other values in some columns. */
  forgotten: 'removed' | Readonly<Record<string, Emptied>>
  /** Why it stays, where it does. */
  because?: string
}

/** A table that holds nothing of anybody, with why. */
export interface NoHolding {
  nobody: string
}

/** The rows of the log stand in other places, too, and go little by little (`core/logs/`). */
export const LOG = 'logs'

/** What a column of it is to its person is declared with the column. */
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
    withheld: ['password_hash', 'looks', 'version'],
    forgotten: {
      ...{ username: FORGOTTEN_NAME, display_name: '', email: '', password_hash: '', aff_code: null, setting: '', looks: '' },
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
  kept_responses: {
    of: 'user_id',
    given: ['created_at', 'token_id', 'model', 'bytes', 'account_id'],
    withheld: ['id_hash', 'user_id', 'channel_id', 'key', 'sealed'],
    forgotten: 'removed',
  },
  owned_objects: {
    // Of a team they stay the team's. An id without a row is closed to everybody.
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
      ...{ username: FORGOTTEN_NAME, token_name: '', prompt: '', prompt_en: '', image_url: '', files: '', details: '' },
      ...{ asked: '', data: '', hook: '', fail_reason: '' },
    },
    because: 'one that is still going on may have to be given back, and its account is found by it',
  },
  topups: {
    of: 'user_id',
    given: [
      ...['id', 'trade_no', 'provider', 'method', 'amount', 'money', 'currency', 'quota', 'status', 'create_time'],
      ...['paid_time', 'provider_trade_no'],
    ],
    withheld: ['user_id'],
    forgotten: {},
    because: MONEY,
  },
  redemptions: {
    of: 'used_user_id',
    given: ['id', 'name', 'quota', 'redeemed_time'],
    withheld: ['user_id', 'key_sealed', 'key_hash', 'status', 'created_time', 'used_user_id', 'deleted', 'version'],
    forgotten: {},
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
    // What was changed may be somebody else's.
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
  [LOG]: {
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

/** JSON in rows of others that may name somebody. */
export interface Mentions {
  key: string
  columns: readonly string[]
  /** Rows that are about them alone, by number: whatever they were called is named otherwise there. */
  about?: { target: string; actions: string }
}
export const MENTIONS: Readonly<Record<string, Mentions>> = {
  audit: { key: 'id', columns: ['before', 'after'], about: { target: 'target', actions: 'user.%' } },
  dead_letters: { key: 'hold_id', columns: ['charge'] },
}

export const isHolding = (known: Holding | NoHolding | undefined): known is Holding =>
  known !== undefined && 'of' in known
