// The fields of the code panel and their initial values.
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { RedemptionForm } from '../../../core/redemptions/contract.ts'

export const codeForm = fieldsOfForm(RedemptionForm)
export const initialCodeDraft = RedemptionForm.parse({})
