// Storage: one member per feature store. The only file here that looks up the tree, for types alone.
import type { AuditStore, AuditWriter } from '../audit/store.ts'
import type { BrowserStore } from '../auth/browser-store.ts'
import type { PasskeyStore } from '../auth/passkey-store.ts'
import type { LoginServiceStore } from '../auth/login-service-store.ts'
import type { SecondFactorStore } from '../auth/second-factor-store.ts'
import type { SessionStore } from '../auth/session-store.ts'
import type { VerificationStore } from '../auth/verification.ts'
import type { KeptResponseStore } from '../channels/kept-response-store.ts'
import type { ChannelStore } from '../channels/store.ts'
import type { LogStore } from '../logs/store.ts'
import type { UsageStore } from '../logs/usage-report.ts'
import type { WarningStore } from '../notify/store.ts'
import type { Chain } from '../quota/chain-keys.ts'
import type { EntryStore } from '../quota/entry-store.ts'
import type { ReceiptKeyStore } from '../quota/receipt.ts'
import type { LedgerStore } from '../quota/store.ts'
import type { RedemptionStore } from '../redemptions/store.ts'
import type { SettingsStore } from '../settings/store.ts'
import type { SetupStore } from '../site/store.ts'
import type { TaskStore } from '../tasks/store.ts'
import type { TopUpStore } from '../topups/store.ts'
import type { TeamStore } from '../teams/store.ts'
import type { TokenStore } from '../tokens/store.ts'
import type { AccessTokenStore } from '../users/access-token-store.ts'
import type { IdentityStore } from '../users/identity.ts'
import type { UserStore } from '../users/store.ts'
import type { RateCounter } from './counter.ts'

/** What changed; other processes drop what they cached of it. `id` is 0 for "all of it". */
export interface Change {
  topic: 'settings' | 'channels' | 'users' | 'tokens'
  id: number
}

/** The stores of what people change. */
export interface ChangeStores {
  users: UserStore
  accessTokens: AccessTokenStore
  sessions: SessionStore
  passkeys: PasskeyStore
  loginServices: LoginServiceStore
  secondFactors: SecondFactorStore
  channels: ChannelStore
  teams: TeamStore
  keptResponses: KeptResponseStore
}

/** One transaction: what is done through these is kept together, or not at all. */
export interface Within extends ChangeStores {
  audit: AuditWriter
}

export interface Storage extends ChangeStores {
  readonly kind: 'sqlite' | 'postgres'
  identities: IdentityStore
  browsers: BrowserStore
  verifications: VerificationStore
  counter: RateCounter
  tokens: TokenStore
  logs: LogStore
  usage: UsageStore
  warnings: WarningStore
  ledger: LedgerStore
  entries: EntryStore
  /** The keys that the ledger's entries are chained with. */
  chain: Chain
  receiptKey: ReceiptKeyStore
  redemptions: RedemptionStore
  topups: TopUpStore
  tasks: TaskStore
  settings: SettingsStore
  audit: AuditStore
  setup: SetupStore
  /**
   * A change with all that belongs to it, its rows of the audit first of all. Everybody who writes waits for it: nothing
   * slow is done inside, and nothing through other stores.
   */
  transaction<T>(work: (within: Within) => Promise<T>): Promise<T>
  /** Tells every process that something cached has changed; resolves when this process's listeners are done. */
  announce(change: Change): Promise<void>
  /**
   * Called for every change, at once for our own, within a second for those of other processes, and within a minute for
   * everything while these do not tell us theirs.
   */
  onChange(listener: (change: Change) => void | Promise<void>): void
  /** Looks once more whether the master secret is the database's. @throws StartError when it was changed meanwhile */
  confirmSecret(): Promise<void>
  close(): Promise<void>
}
