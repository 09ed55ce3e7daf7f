// The fields of a backup.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const backupFields = {
  prove: {
    label: words('Prove the ledger'),
    help: words('Walk through the ledger of the copy, too'),
    example: true,
  },
} as const satisfies Record<string, FieldDeclaration>
