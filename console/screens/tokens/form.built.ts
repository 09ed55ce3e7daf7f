// The fields of the token panel and their initial values.
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { TokenForm } from '../../../core/tokens/contract.ts'

export const tokenForm = fieldsOfForm(TokenForm)

/** The initial values of the fields that the draft takes from the form unchanged. */
export const initialTokenDraft = TokenForm.omit({ expired_time: true, model_limits: true }).parse({})
