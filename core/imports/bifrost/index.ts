// The rules for a Bifrost `config.json`: a channel for each key of a provider, a token for each virtual key.
import { words } from '../../errors.ts'
import { getCellText } from '../cells.ts'
import type { ImportRules } from '../product.ts'
import { convertBifrostChannel } from './channel.ts'
import { bifrostVirtualKey, convertBifrostOwner } from './virtual-key.ts'

export const bifrostImportRules: ImportRules = {
  product: 'bifrost',
  tables: [
    { table: 'owners', kind: 'user', order: 'id', needs: ['id', 'name'], rule: convertBifrostOwner },
    {
      table: 'provider_keys',
      kind: 'channel',
      order: 'id',
      needs: ['id', 'provider', 'key'],
      rule: convertBifrostChannel,
    },
    {
      table: 'virtual_keys',
      kind: 'token',
      order: 'id',
      needs: ['id', 'owner', 'key_digest'],
      rule: bifrostVirtualKey,
    },
    {
      table: 'settings',
      kind: 'option',
      order: 'key',
      needs: ['key'],
      rule: (row) => ({
        kind: 'option',
        id: getCellText(row, 'key'),
        name: getCellText(row, 'key'),
        left: words('Weir has no such setting'),
      }),
    },
  ],
  derived: {},
  isOwn: (tables) => tables.has('provider_keys') && tables.has('virtual_keys'),
  // The file has no installation id, so its entries are identified by their names.
  marks: () => ['config.json'],
}
