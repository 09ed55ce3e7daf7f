// The stores of data that users change, on the whole database or inside one transaction.
import type { Knex } from 'knex'
import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { ChangeStores, WriteTransaction } from '../../ports/storage.ts'
import { createAuditWriter, createManagedStore } from './audit.ts'
import { createPasskeyStore, createSecondFactorStore } from './accounts/credentials.ts'
import { createDeadLetterStore } from './ledger/ledger.ts'
import { createRedemptionStore, createTopUpStore } from './accounts/payments.ts'
import { createAccessTokenStore, createDeviceStore, createSessionStore } from './accounts/sessions.ts'
import { createLoginServiceStore, createSettingsStore } from './settings.ts'
import { createBodyStore, createStoredResponseStore } from './stored-bodies.ts'
import { createGroupUseStore, createUserStore } from './accounts/users.ts'
import { createAlertStore } from './alerts.ts'
import { createChannelStore } from './channels.ts'
import type { Database } from './connection/database.ts'
import { createOwnedObjectStore } from './owned-objects.ts'
import { createPrivacyStore } from './accounts/privacy.ts'
import { createImportStore } from './imports.ts'
import { createTaskStore } from './tasks.ts'
import { createTeamInvitationStore, createTeamStore, createTeamViewStore } from './accounts/teams.ts'
import { createTokenStore } from './accounts/tokens.ts'

export const createChangeStores = (database: Database, secrets: Secrets, clock: Clock): ChangeStores => ({
  users: createUserStore(database),
  accessTokens: createAccessTokenStore(database),
  sessions: createSessionStore(database),
  devices: createDeviceStore(database),
  passkeys: createPasskeyStore(database),
  loginServices: createLoginServiceStore(database, secrets),
  secondFactors: createSecondFactorStore(database, secrets),
  channels: createChannelStore(database, secrets),
  teams: createTeamStore(database),
  teamInvitations: createTeamInvitationStore(database, clock),
  teamViews: createTeamViewStore(database),
  tokens: createTokenStore(database, secrets, clock),
  topups: createTopUpStore(database),
  redemptions: createRedemptionStore(database, secrets),
  keptResponses: createStoredResponseStore(database),
  ownedObjects: createOwnedObjectStore(database),
  tasks: createTaskStore(database),
  settings: createSettingsStore(database, secrets),
  groupUses: createGroupUseStore(database),
  managed: createManagedStore(database),
  bodies: createBodyStore(database),
  alerts: createAlertStore(database, secrets),
  deadLetters: createDeadLetterStore(database),
  privacy: createPrivacyStore(database),
})

/** Reads inside a transaction see its writes. */
export const createStoresWithin =
  (database: Database, secrets: Secrets, clock: Clock) =>
  (transaction: Knex.Transaction): WriteTransaction => ({
    ...createChangeStores({ ...database, write: transaction, read: transaction }, secrets, clock),
    imports: createImportStore(database.kind, transaction),
    audit: createAuditWriter(transaction),
  })
