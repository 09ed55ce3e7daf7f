// Who has invited the visitor: the code of the link that they came by is kept until they have an account.
import { preferences } from '../../data/preferences.ts'

/** As endpoints take it: nothing where nobody has. */
export function inviter(): { aff?: string } {
  const aff = preferences.inviter.read()
  return aff === '' ? {} : { aff }
}
