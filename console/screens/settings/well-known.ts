// The discovery document of the OIDC service. When its address is changed, the server reads the endpoints from it.
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import type { FieldRefusal } from '../../data/refused-field.ts'
import type { SettingsWords } from './texts.ts'

export const WELL_KNOWN = 'oidc.well_known'

interface Change {
  key: string
  value: string | null
  was?: string
}

/** Fetches the endpoints of the document, by setting. @throws RequestFailure, which was already shown */
export async function fetchEndpoints(well_known: string): Promise<Record<string, string>> {
  const read = await client.settings.readWellKnown({ well_known })
  return {
    'oidc.authorization_endpoint': read.authorization_endpoint,
    'oidc.token_endpoint': read.token_endpoint,
    'oidc.user_info_endpoint': read.userinfo_endpoint,
  }
}

/**
 * Returns the changes, with the endpoints added if the address of the document was changed; null if the address is
 * invalid.
 * @throws RequestFailure, which was already shown
 */
export async function addEndpoints(
  changes: Change[],
  t: SettingsWords,
  refuse: (refusals: readonly FieldRefusal[]) => void,
): Promise<Change[] | null> {
  const address = changes.find(({ key }) => key === WELL_KNOWN)?.value?.trim()
  if (!address) return changes
  if (!/^https?:\/\//i.test(address)) {
    refuse([{ field: WELL_KNOWN, message: t.badWellKnown }])
    notify.error(t.badWellKnown)
    return null
  }
  const endpoints = await fetchEndpoints(address)
  notify.success(t.documentRead)
  return [
    ...changes.filter(({ key }) => !(key in endpoints)),
    ...Object.entries(endpoints).map(([key, value]) => ({ key, value })),
  ]
}
