// The fields of the first setup.
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { SetupForm } from '../../../core/site/contract.ts'

export const setupForm = fieldsOfForm(SetupForm)
