// The fields of the panels of the settings screen: a payment report, a sign-in service.
import { secondFactorContract } from '../../../core/auth/second-factor-contract.ts'
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { topupsContract } from '../../../core/topups/contract.ts'

export const paymentNoticeForm = fieldsOfForm(topupsContract.verifyNotice.body!)
export const loginServiceForm = fieldsOfForm(secondFactorContract.providerCreate.body!)
