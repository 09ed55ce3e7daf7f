// The token panel's fields, and what stands in them at first.
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { TokenForm } from '../../../core/tokens/contract.ts'

export const form = fieldsOfForm(TokenForm)

/** What the draft has as the form declares it. */
export const begins = TokenForm.omit({ expired_time: true, model_limits: true }).parse({})
