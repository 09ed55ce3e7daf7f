// The fields of operations on the ledger.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

export const retryFields = {
  hold_ids: {
    label: words('Charges', '扣费'),
    help: words('The holds of the refused charges to ask for again', '要重试的被拒绝扣费的预扣编号'),
    example: ['m3k9f2a-hold'],
  },
} as const satisfies Record<string, Field>
