// The fields of operations on the ledger.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const retryFields = {
  hold_ids: {
    label: words('Charges'),
    help: words('The holds of the refused charges to ask for again'),
    example: ['m3k9f2a-hold'],
  },
} as const satisfies Record<string, FieldDeclaration>
