// Every column that depends on the master secret. A new one must be added here, or a test fails.
import { words, type Words } from '../../errors.ts'
import type { SealedColumn } from '../../ports/secrets.ts'

/** An encrypted column, possibly found by a keyed hash of the same text. It is re-encrypted when the secret changes. */
export interface EncryptedColumn {
  /** The column that identifies a row. */
  id: string
  hash?: string
  /** The column is a JSON object, and this member of it is encrypted. */
  member?: string
  /** Selects the rows that are encrypted. */
  where?: Record<string, unknown>
  /** The row is found by a keyed hash alone, so it is deleted when the secret changes. */
  passing?: true
}

export const sealedColumns: Readonly<Record<SealedColumn, EncryptedColumn>> = {
  'tokens.key_sealed': { id: 'id', hash: 'key_hash' },
  'tokens.digest_sealed': { id: 'id', hash: 'digest_hash' },
  'channels.key_sealed': { id: 'id', hash: 'key_hash' },
  'channels.setting': { id: 'id', member: 'sealed' },
  'redemptions.key_sealed': { id: 'id', hash: 'key_hash' },
  'options.value': { id: 'key', where: { sealed: true } },
  'users.setting': { id: 'id', member: 'webhook_secret' },
  'second_factors.secret_sealed': { id: 'user_id' },
  'login_providers.client_secret_sealed': { id: 'id' },
  'verifications.payload_sealed': { id: 'key_hash', passing: true },
  'kept_responses.sealed': { id: 'id_hash', passing: true },
  'alert_rules.webhook_secret_sealed': { id: 'id' },
  'installation.receipt_key_sealed': { id: 'id' },
  'installation.chain_keys_sealed': { id: 'id' },
  'installation.secret_check': { id: 'id' },
}

/** A value stored only as a keyed hash. The new hash cannot be computed, so it is deleted when the secret changes. */
export interface HashedColumn {
  table: string
  hash: string
  /** Only this value is deleted, not its row. */
  nullable?: true
  /** The consequence for its owners, shown to the operator. */
  loss: Words
}

// The counters of failed sign-ins use keyed hashes as well: they restart, and the old ones expire.
export const hashedColumns: readonly HashedColumn[] = [
  { table: 'sessions', hash: 'id_hash', loss: words('sessions: their owners sign in again', '个会话：用户需重新登录') },
  {
    table: 'known_browsers',
    hash: 'browser_hash',
    loss: words('known browsers: they are known again when they sign in', '个已知浏览器：登录后重新记住'),
  },
  {
    table: 'verifications',
    hash: 'key_hash',
    loss: words('mailed codes and begun sign-ins: they are asked for again', '个邮件验证码与未完成的登录：需重新请求'),
  },
  {
    table: 'access_tokens',
    hash: 'token_hash',
    loss: words('access tokens: their owners make new ones', '个访问令牌：用户需重新生成'),
  },
  {
    table: 'device_requests',
    hash: 'device_hash',
    loss: words('sign-ins by code that were under way: they begin anew', '个未完成的代码登录：需重新开始'),
  },
  {
    table: 'backup_codes',
    hash: 'code_hash',
    loss: words('backup codes: their owners make new ones with their app', '个备用码：用户需用验证器重新生成'),
  },
  {
    table: 'kept_responses',
    hash: 'id_hash',
    loss: words('kept answers: they cannot be gone on with by id', '个保存的回答：无法再按编号继续'),
  },
]
