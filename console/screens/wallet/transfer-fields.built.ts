// The fields of the panel that moves invitation earnings.
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { TransferForm } from '../../../core/users/contract.ts'

export const earningsTransferForm = fieldsOfForm(TransferForm)
