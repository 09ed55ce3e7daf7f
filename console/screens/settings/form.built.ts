// The fields of the panels of the settings screen: a payment report, a sign-in service.
import { proofs } from '../../../core/auth/proof-contract.ts'
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { topups } from '../../../core/topups/contract.ts'

export const noticeForm = fieldsOfForm(topups.verifyNotice.body!)
export const serviceForm = fieldsOfForm(proofs.providerCreate.body!)
