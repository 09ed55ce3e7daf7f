// Encrypts the summaries that callers keep, and decrypts those that come back. A summary is bound to its user and
// account: one of a team can be read only with a key of that team.
import type { Secrets, EncryptedPlace } from '../../ports/secrets.ts'
import type { CallCaller } from '../call.ts'
import { findPayingAccount } from '../paying-account.ts'

export interface OwnedCompactions {
  encrypt(text: string, caller: CallCaller): string
  /** Returns undefined for a text of another owner, or one that was changed. */
  decrypt(sealed: string, caller: CallCaller): string | undefined
}

export function createOwnedCompactions(secrets: Pick<Secrets, 'encrypt' | 'decrypt'>): OwnedCompactions {
  const getSealedPlace = (caller: CallCaller): EncryptedPlace => [
    'compaction items',
    `${caller.user.id}/${findPayingAccount(caller).account_id}`,
  ]
  return {
    encrypt: (text, caller) => secrets.encrypt(text, getSealedPlace(caller)),
    decrypt(sealed, caller) {
      try {
        return secrets.decrypt(sealed, getSealedPlace(caller))
      } catch {
        return undefined
      }
    },
  }
}
