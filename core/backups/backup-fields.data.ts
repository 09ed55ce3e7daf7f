// The fields of a backup.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

export const backupFields = {
  prove: {
    label: words('Prove the ledger', '核对账本'),
    help: words('Walk through the ledger of the copy, too', '同时核对副本的账本'),
    example: true,
  },
} as const satisfies Record<string, Field>
