// All stores of the gateway, in one list. Each line leads to the interface of a store, in the folder of its feature; the
// file with its SQL, in `core/adapters/knex/`, implements that interface. The interfaces do not import this file.
import type { AlertStore } from '../alerts/store.ts'
import type { AuditStore, AuditWriter } from '../audit/store.ts'
import type { BrowserStore, LoginServiceStore, PasskeyStore, SecondFactorStore, SessionStore } from '../auth/stores.ts'
import type { VerificationStore } from '../auth/verification.ts'
import type { BackupStore } from '../backups/store.ts'
import type { BodyStore } from '../bodies/store.ts'
import type { OwnedObjectStore } from '../calls/owned-object.ts'
import type { ChannelHourStore } from '../channels/channel-hours.ts'
import type { ChannelStore } from '../channels/store.ts'
import type { KeptResponseStore } from '../channels/stored-response-store.ts'
import type { ChannelTestStore } from '../channels/test-outcome.ts'
import type { DeviceStore } from '../devices/store.ts'
import type { GroupUseStore } from '../groups/store.ts'
import type { ImportStore } from '../imports/store.ts'
import type { LogHome, LogHomeStates } from '../logs/home.ts'
import type { RefusedCallStore } from '../logs/refusal-rows.ts'
import type { DatabaseLogRows, LogStore } from '../logs/store.ts'
import type { WarningStore } from '../notify/store.ts'
import type { PersonalDataStore } from '../privacy/store.ts'
import type { Chain } from '../quota/chain.ts'
import type { DeadLetterStore } from '../quota/dead-letters.ts'
import type { ReceiptKeyStore } from '../quota/receipts.ts'
import type { EntryStore, LedgerStore } from '../quota/store.ts'
import type { RedemptionStore } from '../redemptions/store.ts'
import type { SearchStore } from '../search/store.ts'
import type { SettingsStore } from '../settings/store.ts'
import type { SetupStore } from '../site/store.ts'
import type { ManagedStore } from '../state/managed.ts'
import type { TaskStore } from '../tasks/store.ts'
import type { TeamInvitationStore, TeamStore, TeamViewStore } from '../teams/store.ts'
import type { TokenStore } from '../tokens/store.ts'
import type { TopUpStore } from '../topups/store.ts'
import type { UsageStore } from '../usage/store.ts'
import type { AccessTokenStore } from '../users/access-tokens.ts'
import type { UserStore } from '../users/store.ts'
import type { ExternalAccountStore } from '../users/user.ts'
import type { RateCounter } from './counter.ts'

/**
 * A change of cached data, which other processes drop from their caches. `id` is 0 for "all of it". `quota`: an account
 * needs the quota that is leased of it.
 */
export interface CachedDataChange {
  topic: 'settings' | 'channels' | 'users' | 'tokens' | 'quota'
  id: number
}

/** The stores that can take part in a transaction: those of data that users change. */
export interface ChangeStores {
  users: UserStore
  accessTokens: AccessTokenStore
  sessions: SessionStore
  devices: DeviceStore
  passkeys: PasskeyStore
  loginServices: LoginServiceStore
  secondFactors: SecondFactorStore
  channels: ChannelStore
  teams: TeamStore
  teamInvitations: TeamInvitationStore
  teamViews: TeamViewStore
  tokens: TokenStore
  topups: TopUpStore
  redemptions: RedemptionStore
  keptResponses: KeptResponseStore
  ownedObjects: OwnedObjectStore
  tasks: TaskStore
  settings: SettingsStore
  groupUses: GroupUseStore
  managed: ManagedStore
  bodies: BodyStore
  alerts: AlertStore
  deadLetters: DeadLetterStore
  privacy: PersonalDataStore
}

/** One transaction: all writes through these stores are committed together, or not at all. */
export interface WriteTransaction extends ChangeStores {
  imports: ImportStore
  audit: AuditWriter
}

export interface Storage extends ChangeStores {
  readonly kind: 'sqlite' | 'postgres'
  identities: ExternalAccountStore
  browsers: BrowserStore
  verifications: VerificationStore
  counter: RateCounter
  channelHours: ChannelHourStore
  channelTests: ChannelTestStore
  /** The log over all places with rows. */
  logs: LogStore
  /** The log rows in the database alone. */
  databaseLogs: DatabaseLogRows
  logPlaces: LogHomeStates
  /** The destination of moved log rows; undefined if they stay in the database. */
  logHome?: LogHome
  /** @throws StartError for an address that names none */
  openLogHome?(address: string): Promise<LogHome>
  refusals: RefusedCallStore
  usage: UsageStore
  warnings: WarningStore
  ledger: LedgerStore<WriteTransaction>
  entries: EntryStore
  /** The keys that the ledger's entries are chained with. */
  chain: Chain
  receiptKey: ReceiptKeyStore
  audit: AuditStore
  search: SearchStore
  setup: SetupStore
  backups: BackupStore
  /**
   * Runs a change in one transaction with its audit rows. All other writers wait for it, so it must do nothing slow,
   * and use no other stores.
   */
  transaction<T>(work: (within: WriteTransaction) => Promise<T>): Promise<T>
  /** Notifies every process of a change of cached data. Resolves once this process's listeners are done. */
  announce(change: CachedDataChange): Promise<void>
  /**
   * Called for every change: at once for those of this process, within a second for those of others, and within a
   * minute for all data while their notifications fail.
   */
  onChange(listener: (change: CachedDataChange) => void | Promise<void>): void
  /** The number of connections in use, idle, and waited for. Sends no query. */
  pools(): { pool: 'write' | 'read'; used: number; free: number; waiting: number }[]
  /** SQLite in a folder: bytes of its file and of its WAL. */
  fileSizes(): Partial<Record<'database' | 'wal', number>>
  /** Checks again that the master secret is the database's. @throws StartError if it has been changed */
  confirmSecret(): Promise<void>
  close(): Promise<void>
}
