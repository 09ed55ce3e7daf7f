// The rules for a one-api database, from its version of 2025-02 and earlier ones. Columns of later versions are read if
// present.
import { fillTemplate, words } from '../../errors.ts'
import { ancestorTables } from '../ancestor/tables.ts'
import { convertAncestorCode } from '../ancestor/code.ts'
import { convertAncestorToken } from '../ancestor/token.ts'
import { convertAncestorUser } from '../ancestor/user.ts'
import { getCellCount, getCellText, getCellWhole, getCellWord, type RowChangeNotes, type SourceRow } from '../cells.ts'
import type { ImportRules, LeftRow, SourceFacts } from '../product.ts'
import { oneApiChannel } from './channel.ts'
import { oneApiPrices } from './prices.ts'
import { LOG_ROW_TYPE } from '../../calls/log-entry.ts'
import type { ImportedLogRow, ImportedOption } from '../imported-rows.ts'
import { convertAncestorEvent } from '../ancestor/event.ts'
import { findDeclaration } from '../../settings/index.ts'

// Converts an option of one-api: most keys are the same, some have other names.

const NAMED: Readonly<Record<string, string>> = {
  OidcEnabled: 'oidc.enabled',
  OidcClientId: 'oidc.client_id',
  OidcClientSecret: 'oidc.client_secret',
  OidcWellKnown: 'oidc.well_known',
  OidcAuthorizationEndpoint: 'oidc.authorization_endpoint',
  OidcTokenEndpoint: 'oidc.token_endpoint',
  OidcUserinfoEndpoint: 'oidc.user_info_endpoint',
}

function oneApiOption(row: SourceRow): ImportedOption | LeftRow {
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

// Converts a log row of one-api. Its type 5 is a test of a channel; Weir's is a failure.

const CHANNEL_TEST = 5

function oneApiLog(row: SourceRow, facts: SourceFacts): ImportedLogRow {
  const notes: RowChangeNotes = []
  const sourceType = getCellWhole(row, 'type')
  if (sourceType === CHANNEL_TEST) notes.push(words('a test of a channel, which is a row of the system here'))
  const ms = getCellCount(row, 'elapsed_time')
  return convertAncestorEvent(
    row,
    facts,
    {
      type: sourceType === CHANNEL_TEST ? LOG_ROW_TYPE.system : sourceType,
      token: '',
      group: '',
      use_time: Math.round(ms / 1000),
      other: JSON.stringify({ imported: 'one-api', ...(ms > 0 ? { elapsed_ms: ms } : {}) }),
      request_id: getCellWord(row, 'request_id'),
    },
    notes,
  )
}

const DELETED = 3

/** A deleted user keeps the row, under a name that no user can choose. */
const oneApiUser = (row: SourceRow, { now }: SourceFacts) =>
  convertAncestorUser(row, getCellWhole(row, 'status') === DELETED ? now : null)

/** The limits of a token are in `models` and `subnet`. A token limited to an amount that was never set is unlimited. */
const oneApiToken = (row: SourceRow, facts: SourceFacts) =>
  convertAncestorToken(row, facts, {
    limited: getCellWord(row, 'models') !== '',
    models: getCellText(row, 'models'),
    addresses: getCellText(row, 'subnet'),
    group: '',
    deleted_at: null,
  })

export const oneApiImportRules: ImportRules = {
  product: 'one-api',
  tables: [
    { ...ancestorTables.users, rule: oneApiUser },
    { ...ancestorTables.channels, rule: oneApiChannel },
    { ...ancestorTables.tokens, rule: oneApiToken },
    { ...ancestorTables.options, rule: oneApiOption },
    {
      ...ancestorTables.redemptions,
      rule: (row: SourceRow, facts: SourceFacts) => convertAncestorCode(row, facts, false),
    },
    { ...ancestorTables.logs, rule: oneApiLog },
  ],
  derived: { abilities: words('rebuilt from the channels') },
  isOwn: (tables) =>
    tables.get('tokens')?.has('model_limits_enabled') === false &&
    tables.get('users')?.has('aff_count') === false &&
    tables.has('abilities') &&
    tables.has('channels'),
  prices: oneApiPrices,
  marks: ({ users }) =>
    users
      .filter((row) => getCellWord(row, 'aff_code') !== '')
      .map((row) => `user ${getCellWord(row, 'id')} ${getCellWord(row, 'aff_code')}`),
}
