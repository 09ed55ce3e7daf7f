// The fields of the panel that makes and changes codes, and what stands in them at first.
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { RedemptionForm } from '../../../core/redemptions/contract.ts'

export const form = fieldsOfForm(RedemptionForm)
export const begins = RedemptionForm.parse({})
