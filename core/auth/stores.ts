// The storage of sign-ins: sessions, known browsers, passkeys, second factors and sign-in services.
import type { PersonalEdit } from '../contract/version.ts'
import type { StoredPasskey } from '../ports/identity.ts'
import type { LoginService } from './methods/oidc.ts'

/** A browser session; only the hash of its cookie is stored. Times in epoch seconds. */
export interface Session {
  id: number
  id_hash: string
  user_id: number
  ip: string
  user_agent: string
  created_time: number
  used_time: number
  /** When its owner last proved who they are: at sign-in, or when asked again. */
  proven_time: number
  expires_time: number
}

export interface SessionStore {
  insert(session: Omit<Session, 'id'>): Promise<void>
  find(idHash: string): Promise<Session | null>
  /** Those not yet expired at `now` (epoch seconds), latest use first; at most 100. */
  listOfUser(userId: number, now: number): Promise<Session[]>
  update(id: number, times: Partial<Pick<Session, 'used_time' | 'proven_time'>>): Promise<void>
  delete(idHash: string): Promise<void>
  /** One of this user's; false where they have no such session. */
  deleteOne(userId: number, id: number): Promise<boolean>
  /** Deletes all sessions of a user except this one. */
  deleteOfUser(userId: number, keptId?: number): Promise<void>
  /** Removes what ended before `now` (epoch seconds). */
  deleteExpired(now: number): Promise<void>
}

/** How long an account knows a browser that it does not see. */
export const KNOWN_SECONDS = 180 * 24 * 3600

/** The browsers that have signed in to an account before; only the hash of their cookie is kept. */
export interface BrowserStore {
  knows(userId: number, hash: string): Promise<boolean>
  /** Does the account with this e-mail address know it? */
  knownByEmail(email: string, hash: string): Promise<boolean>
  /**
   * Records that a browser has signed in to the account. It gets a new name for all accounts that know it, so that a
   * planted name is useless. An account knows its latest few dozen browsers. Epoch seconds.
   */
  remember(userId: number, name: { before: string; hash: string }, now: number): Promise<void>
  /** Those not seen since `time` (epoch seconds). */
  deleteOld(time: number): Promise<void>
}

/** A passkey of a user. Times in epoch seconds. */
export interface StoredPasskeyRow extends StoredPasskey {
  user_id: number
  name: string
  created_time: number
  used_time: number
}

export interface PasskeyStore {
  find(id: string): Promise<StoredPasskeyRow | null>
  listOfUser(userId: number): Promise<StoredPasskeyRow[]>
  insert(passkey: StoredPasskeyRow): Promise<void>
  /** Remembers a use; false where the counter has been this far already: then it is a copy. */
  use(id: string, counter: number, now: number): Promise<boolean>
  /** False where this user has no such passkey. */
  delete(userId: number, id: string): Promise<boolean>
}

/** An authenticator app of a user. */
export interface SecondFactor {
  user_id: number
  /** Base32; encrypted at rest. */
  secret: string
  /** Epoch seconds of the first right code; null while it is being set up. */
  confirmed_time: number | null
}

export interface SecondFactorStore {
  find(userId: number): Promise<SecondFactor | null>
  /** Begins to set one up, in place of one that was never confirmed. */
  begin(userId: number, secret: string): Promise<void>
  /** Activates the factor, with the hashes of its backup codes. */
  confirm(userId: number, now: number, backupHashes: string[]): Promise<void>
  /** Replaces all backup codes. */
  renewBackups(userId: number, backupHashes: string[]): Promise<void>
  /** Marks the code of a time step as used; false if it, or a later one, was used before. */
  useStep(userId: number, step: number): Promise<boolean>
  /** Uses a backup code up; false for one that is none, or was used before. */
  useBackup(userId: number, hash: string): Promise<boolean>
  countBackups(userId: number): Promise<number>
  remove(userId: number): Promise<void>
}

/** Sign-in services that the operator added. */
export interface LoginServiceStore {
  find(id: string): Promise<LoginService | null>
  list(): Promise<LoginService[]>
  /** @throws GatewayError provider.taken */
  insert(provider: Omit<LoginService, 'version'>): Promise<void>
  /**
   * Returns false if it does not exist. An absent field stays as it is. @throws GatewayError edit.conflict if the
   * stored version is not the one that was read
   * @throws GatewayError edit.conflict where another version is stored than was read
   */
  update(id: string, patch: Partial<Omit<LoginService, 'id' | 'version'>>, edit: PersonalEdit): Promise<boolean>
  delete(id: string): Promise<boolean>
}
