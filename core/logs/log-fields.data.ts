// The fields of a move of the log.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const moveFields = {
  to: {
    label: words('Move to'),
    help: words('Target: clickhouse://user:password@host:8123/database, sqlite:file or parquet:folder; database brings them back'),
    example: 'sqlite:logs.db',
    notIn: { console: 'an address with a password is given where Weir is started' },
  },
} as const satisfies Record<string, FieldDeclaration>
