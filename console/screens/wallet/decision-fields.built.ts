// The fields of decisions about orders.
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { OrderDecision, OrderNoteForm } from '../../../core/topups/contract.ts'

export const orderDecisionForm = fieldsOfForm(OrderDecision)
export const orderNoteForm = fieldsOfForm(OrderNoteForm)
