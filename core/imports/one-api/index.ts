// The rules for a one-api database, from its version of 2025-02 and earlier ones. Columns of later versions are read if
// present.
import { words } from '../../errors.ts'
import { convertAncestorCode } from '../ancestor/code.ts'
import { convertAncestorToken } from '../ancestor/token.ts'
import { convertAncestorUser } from '../ancestor/user.ts'
import { getCellText, getCellWhole, getCellWord, type SourceRow } from '../cells.ts'
import type { ImportRules, SourceFacts } from '../product.ts'
import { oneApiChannel } from './channel.ts'
import { oneApiLog } from './log.ts'
import { oneApiOption } from './option.ts'
import { oneApiPrices } from './prices.ts'

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
    {
      table: 'users',
      kind: 'user',
      order: 'id',
      rule: oneApiUser,
      needs: ['id', 'username', 'password', 'role', 'status', 'quota'],
    },
    {
      table: 'channels',
      kind: 'channel',
      order: 'id',
      needs: ['id', 'type', 'key', 'models', 'group'],
      rule: oneApiChannel,
    },
    {
      table: 'tokens',
      kind: 'token',
      order: 'id',
      rule: oneApiToken,
      needs: ['id', 'user_id', 'key', 'status', 'remain_quota', 'unlimited_quota'],
    },
    { table: 'options', kind: 'option', order: 'key', needs: ['key', 'value'], rule: oneApiOption },
    {
      table: 'redemptions',
      kind: 'redemption',
      order: 'id',
      needs: ['id', 'key', 'status', 'quota'],
      optional: true,
      rule: (row: SourceRow, facts: SourceFacts) => convertAncestorCode(row, facts, false),
    },
    {
      table: 'logs',
      kind: 'log',
      order: 'id',
      needs: ['id', 'user_id', 'created_at', 'type', 'quota'],
      optional: true,
      past: true,
      rule: oneApiLog,
    },
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
