// Encrypts the summaries of conversations that callers keep, and opens those that come back. A summary opens for the user and
// the account that it was made for: one of a team's only with a key of that team.
import type { Secrets, SealedPlace } from '../../ports/secrets.ts'
import type { CallCaller } from '../call.ts'
import { findPayer } from '../paying-account.ts'

export interface OwnedCompactions {
  encrypt(text: string, caller: CallCaller): string
  /** Undefined for a text of somebody else's, or one that was changed. */
  decrypt(sealed: string, caller: CallCaller): string | undefined
}

export function createOwnedCompactions(secrets: Pick<Secrets, 'encrypt' | 'decrypt'>): OwnedCompactions {
  const placeOf = (caller: CallCaller): SealedPlace => [
    'compaction items',
    `${caller.user.id}/${findPayer(caller).account_id}`,
  ]
  return {
    encrypt: (text, caller) => secrets.encrypt(text, placeOf(caller)),
    decrypt(sealed, caller) {
      try {
        return secrets.decrypt(sealed, placeOf(caller))
      } catch {
        return undefined
      }
    },
  }
}
