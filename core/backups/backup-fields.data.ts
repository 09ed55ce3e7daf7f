// The fields of a backup.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const backupFields = {
  prove: {
    label: words('Prove the ledger'),
    help: words('Also verify the ledger of the copy'),
    example: true,
  },
} as const satisfies Record<string, FieldDeclaration>
