// The inviter of the visitor: the code of the invitation link is stored until the account is created.
import { storedPreferences } from './preferences.ts'

/** Returns the field that endpoints accept; empty without an invitation. */
export function getInviter(): { aff?: string } {
  const aff = storedPreferences.inviter.read()
  return aff === '' ? {} : { aff }
}
