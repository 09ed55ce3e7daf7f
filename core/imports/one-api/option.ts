// Converts an option of one-api: most keys are the same, some have other names.
import { fillTemplate, words } from '../../errors.ts'
import { findDeclaration } from '../../settings/index.ts'
import type { ImportedOption } from '../imported-rows.ts'
import { getCellText, type SourceRow } from '../cells.ts'
import type { LeftRow } from '../product.ts'

const NAMED: Readonly<Record<string, string>> = {
  OidcEnabled: 'oidc.enabled',
  OidcClientId: 'oidc.client_id',
  OidcClientSecret: 'oidc.client_secret',
  OidcWellKnown: 'oidc.well_known',
  OidcAuthorizationEndpoint: 'oidc.authorization_endpoint',
  OidcTokenEndpoint: 'oidc.token_endpoint',
  OidcUserinfoEndpoint: 'oidc.user_info_endpoint',
}

export function oneApiOption(row: SourceRow): ImportedOption | LeftRow {
  const id = getCellText(row, 'key')
  const label = { kind: 'option' as const, id, name: id }
  const value = getCellText(row, 'value')
  if (id === 'ChatLink' && value !== '')
    return {
      ...label,
      notes: [words('it is a link among the chats here')],
      key: 'Chats',
      value: JSON.stringify([{ Chat: value }]),
    }
  const key = Object.hasOwn(NAMED, id) ? (NAMED[id] ?? id) : id
  if (findDeclaration(key) === undefined) return { ...label, left: words('there is no such setting here') }
  const notes = key === id ? [] : [fillTemplate(words('it is called {key} here'), { key })]
  return { ...label, notes, key, value }
}
