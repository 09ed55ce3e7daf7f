// Entities to store in the storage suite.
import type { NewTask } from '../../core/tasks/task.ts'
import type { NewChannel } from '../../core/channels/store.ts'
import type { NewLogEntry } from '../../core/calls/log-entry.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { CHAIN_START, type DigestFunction, hashEntry } from '../../core/quota/chain.ts'
import type { LedgerWrite, AccountChange } from '../../core/quota/store.ts'
import type { NewToken } from '../../core/tokens/store.ts'
import type { NewUser } from '../../core/users/store.ts'
import { nodeSignatures } from '../../core/adapters/signatures.ts'

export const newUser = (fields: Partial<NewUser> = {}): NewUser => ({
  username: 'alice',
  display_name: 'Alice',
  role: 1,
  group: 'default',
  password_hash: 'hash-of-alice',
  created_time: 1_700_000_000,
  ...fields,
})

export const newToken = (fields: Partial<NewToken> = {}): NewToken => ({
  user_id: 1,
  key: 'abcdefghijKLMNOPQRST0123456789abcdefghijKLMNOPQR',
  name: 'laptop',
  status: 1,
  created_time: 1_700_000_000,
  expired_time: -1,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
  budget_day: 0,
  budget_week: 0,
  budget_month: 0,
  time_zone: '',
  requests_per_minute: 0,
  tokens_per_minute: 0,
  max_concurrent: 0,
  fallback_models: '',
  ...fields,
})

export const newChannel = (fields: Partial<NewChannel> = {}): NewChannel => ({
  name: 'main',
  type: 1,
  key: 'upstream-key',
  status: 1,
  openai_organization: '',
  max_input_tokens: 0,
  base_url: '',
  other: '',
  models: 'gpt-4o,gpt-4o-mini',
  group: 'default',
  model_mapping: '',
  status_code_mapping: '',
  param_override: '',
  setting: '',
  auto_ban: 1,
  test_model: '',
  remark: '',
  priority: 0,
  weight: 0,
  tag: null,
  key_mode: '',
  other_info: '',
  created_time: 1_700_000_000,
  address_by: 'root',
  ...fields,
})

export const newLog = (fields: Partial<NewLogEntry> = {}): NewLogEntry => ({
  type: 2,
  created_at: 1_700_000_000,
  user_id: 1,
  username: 'alice',
  token_id: 1,
  token_name: 'laptop',
  channel: 0,
  group: 'default',
  model_name: 'gpt-4o',
  operation: 'chat',
  use_time: 2,
  is_stream: true,
  prompt_tokens: 10,
  completion_tokens: 5,
  quota: 30,
  content: '',
  other: '{}',
  request_id: '',
  hold_id: '',
  ...fields,
})

export const ledgerWrite = (fields: Partial<LedgerWrite> = {}): LedgerWrite => ({
  accounts: [],
  tokens: [],
  budgets: [],
  channels: [],
  entries: [],
  holds: [],
  freed: [],
  shrunk: [],
  logs: [],
  letters: [],
  counters: [],
  places: [],
  ...fields,
})

/** A change of an account that writes no entry. */
export const accountChange = (fields: Partial<AccountChange> = {}): AccountChange => ({
  ...{
    id: 1,
    quota: 0,
    held: 0,
    used_quota: 0,
    request_count: 0,
    entries_hash: null,
    aff_quota: 0,
    aff_history: 0,
    aff_count: 0,
  },
  ...fields,
})

/** A credit as the ledger writes it; `previous` is the hash of the account's entry before it. */
export function credit(
  account_id: number,
  amount: number,
  balance_after: number,
  reference: string | null = null,
  previous = CHAIN_START,
  digest: DigestFunction = nodeSignatures.digest,
): LedgerWrite {
  const entry = {
    ...{ account_id, token_id: null, kind: 'gift' as const, amount, balance_after, hold_id: null, reference },
    ...{ request_id: null, by_user_id: null, created_at: 1_700_000_000, detail: null, cost: null },
  }
  const hash = hashEntry(digest, previous, entry)
  return ledgerWrite({
    accounts: [accountChange({ id: account_id, quota: amount, entries_hash: hash })],
    entries: [{ ...entry, hash }],
  })
}

/** Reads the balance and adds to it, as the ledger does. */
export const addTo = (storage: Storage, userId: number, amount: number, reference: string | null = null) =>
  storage.ledger.transact(async (transaction) => {
    const [account] = (await transaction.accounts([userId], [])).accounts
    await transaction.write(
      credit(
        ...([userId, amount, (account?.quota ?? 0) + amount, reference] as const),
        ...([account?.entries_hash ?? CHAIN_START, storage.chain.digest] as const),
      ),
    )
  })

export const newDrawing = ({ mj_id = 'drawing', ...fields }: Partial<NewTask> & { mj_id?: string } = {}): NewTask =>
  newTask({
    ...{ platform: 'mj', format: 'midjourney', action: 'IMAGINE', task_id: mj_id, upstream_id: mj_id },
    ...{ prompt: 'a weir', prompt_en: 'a weir', image_url: 'https://proxy.example/1.png' },
    ...fields,
  })

export const newTask = (fields: Partial<NewTask> = {}): NewTask => ({
  ...{ task_id: 'task', upstream_id: 'task', platform: 'suno', format: 'suno', action: 'MUSIC', model: 'suno_music' },
  ...{ group: 'default', user_id: 1, username: 'ada', account_id: 1, token_id: 0, token_name: '', channel_id: 7 },
  ...{
    key: '',
    status: 'SUCCESS',
    progress: '100%',
    fail_reason: '',
    code: 1,
    prompt: '',
    prompt_en: '',
    image_url: '',
  },
  ...{ files: '[]', data: '', details: '{}', asked: '', quota: 50, refunded: 0, request_id: '', terms: '' },
  ...{ created_at: 1_700_000_000, submit_time: 1_700_000_000_000, start_time: 0, finish_time: 1_700_000_060_000 },
  ...{ updated_at: 1_700_000_060_000, due_at: null, lease_until: 0, polls: 0, failures: 0, look: '', notify_key: null },
  ...{ hook: '' },
  ...fields,
})
