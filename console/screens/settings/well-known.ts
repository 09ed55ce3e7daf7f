// The discovery document of the OIDC service: whoever saves another address of it has its endpoints read, by the server.
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

/** The endpoints that the document tells, by the setting. @throws RequestFailure, which was told */
export async function endpointsIn(well_known: string): Promise<Record<string, string>> {
  const read = await client.settings.readWellKnown({ well_known })
  return {
    'oidc.authorization_endpoint': read.authorization_endpoint,
    'oidc.token_endpoint': read.token_endpoint,
    'oidc.user_info_endpoint': read.userinfo_endpoint,
  }
}

/**
 * The changes, and with another address of the document its endpoints; null where the address can be none.
 * @throws RequestFailure, which was told
 */
export async function wellKnownRead(
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
  const endpoints = await endpointsIn(address)
  notify.success(t.documentRead)
  return [
    ...changes.filter(({ key }) => !(key in endpoints)),
    ...Object.entries(endpoints).map(([key, value]) => ({ key, value })),
  ]
}
