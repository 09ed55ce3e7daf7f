// Converts an option of one-hub: most keys are the same, some have other names.
import { fillTemplate, words } from '../../errors.ts'
import { findDeclaration } from '../../settings/index.ts'
import type { ImportedOption } from '../imported-rows.ts'
import { parseCellJson, getCellText, type SourceRow } from '../cells.ts'
import type { LeftRow } from '../product.ts'

const NAMED: Readonly<Record<string, string>> = {
  OIDCAuthEnabled: 'oidc.enabled',
  OIDCClientId: 'oidc.client_id',
  OIDCClientSecret: 'oidc.client_secret',
  OIDCIssuer: 'oidc.well_known',
}
const WELL_KNOWN = '/.well-known/openid-configuration'

export function oneHubOption(row: SourceRow): ImportedOption | LeftRow {
  const id = getCellText(row, 'key')
  const label = { kind: 'option' as const, id, name: id }
  const value = getCellText(row, 'value')
  if ((id === 'ChatLink' || id === 'ChatLinks') && value !== '')
    return {
      ...label,
      notes: [words('it is among the chat links here')],
      key: 'Chats',
      value: JSON.stringify(id === 'ChatLink' ? [{ Chat: value }] : convertChatLinks(parseCellJson(row, 'value'))),
    }
  const key = Object.hasOwn(NAMED, id) ? (NAMED[id] ?? id) : id
  if (findDeclaration(key) === undefined) return { ...label, left: words('Weir has no such setting') }
  const notes = key === id ? [] : [fillTemplate(words('it is called {key} here'), { key })]
  const address = id === 'OIDCIssuer' && value !== '' ? value.replace(/\/+$/, '') + WELL_KNOWN : value
  return { ...label, notes, key, value: address }
}

/** Its links name the address of the site `{server}`. */
function convertChatLinks(links: unknown): Record<string, string>[] {
  return (Array.isArray(links) ? links : []).map((link: { name?: unknown; url?: unknown } | null) => ({
    [String(link?.name ?? 'Chat')]: String(link?.url ?? '').replaceAll('{server}', '{address}'),
  }))
}
