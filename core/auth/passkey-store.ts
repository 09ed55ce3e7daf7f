import type { StoredPasskey } from '../ports/identity.ts'

/** A passkey of a user. Times in epoch seconds. */
export interface Passkey extends StoredPasskey {
  user_id: number
  name: string
  created_time: number
  used_time: number
}

export interface PasskeyStore {
  find(id: string): Promise<Passkey | null>
  listOfUser(userId: number): Promise<Passkey[]>
  insert(passkey: Passkey): Promise<void>
  /** Remembers a use; false where the counter has been this far already: then it is a copy. */
  use(id: string, counter: number, now: number): Promise<boolean>
  /** False where this user has no such passkey. */
  delete(userId: number, id: string): Promise<boolean>
}
