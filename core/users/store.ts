import type { RowPage, ListSlice } from '../contract/page.ts'
import type { PersonalEdit } from '../contract/version.ts'
import type { User, UserRoleName, UserState } from './user.ts'

/** A new account; its balance starts at 0 and is filled by the ledger. */
export type NewUser = Pick<User, 'username' | 'display_name' | 'role' | 'group'> & {
  /** Its id, if it is already assigned. */
  id?: number
  email?: string
  remark?: string
  inviter_id?: number
  /** Hash of the password; empty for accounts that have none. */
  password_hash: string
  created_time: number
}

export type UserPatch = Partial<
  Pick<User, 'username' | 'display_name' | 'role' | 'status' | 'email' | 'group' | 'setting' | 'remark'> & {
    /** A new one ends the access tokens and forgets all browsers: a person who knew the old password may have them. */
    password_hash: string
    /** Epoch seconds; from then on the account is deregistered. */
    deleted_at: number
  }
>

/** Empty and absent values do not filter. */
export interface UserFilter {
  /** Part of the username, e-mail, display name or remark, or the id. */
  keyword: string
  group: string
  role?: UserRoleName | ''
  status?: UserState | ''
}

export interface UserStore {
  /**
   * Of two users with lookalike names, also concurrent ones, only one is inserted; deregistered accounts keep their
   * names.
   * @throws GatewayError user.name_taken, email.taken, setup.done if there is already a super administrator
   */
  insert(user: NewUser): Promise<User>
  find(id: number): Promise<User | null>
  /** Locks the user and everything that the user owns until the transaction ends. */
  lock(id: number): Promise<void>
  /** Finds a user who is not deregistered by username or email, with the password's hash. */
  findByLogin(name: string): Promise<{ user: User; password_hash: string } | null>
  /** Returns the user with this invitation code; null for an unknown one. */
  findByInvitation(code: string): Promise<User | null>
  /** Deregistered accounts keep their address. */
  emailTaken(email: string): Promise<boolean>
  /** Stores the same password with another hash, unless it has changed since. */
  renewHash(id: number, former: string, password_hash: string): Promise<void>
  /** Empty for an account without a password. */
  passwordHash(id: number): Promise<string>
  /** The user's invitation code; created if there is none. */
  invitationCode(id: number, make: () => string): Promise<string>
  /** The super administrator: the oldest account of role 100 that is not deregistered. */
  findRoot(): Promise<User | null>
  /** Newest first, deregistered ones included. */
  list(slice: ListSlice): Promise<RowPage<User>>
  search(filter: UserFilter, slice: ListSlice): Promise<RowPage<User>>
  /** A new name as for a new account. @throws GatewayError user.name_taken, email.taken, edit.conflict where another version is stored than was read */
  update(id: number, patch: UserPatch, edit?: PersonalEdit): Promise<void>
}
