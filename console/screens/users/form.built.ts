// The fields of the panels for users.
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { OwnForm, UserEdit, UserForm } from '../../../core/users/contract.ts'

export const addForm = fieldsOfForm(UserForm)
export const editForm = fieldsOfForm(UserEdit)
/** The fields that users may change of their own account. */
export const ownForm = fieldsOfForm(OwnForm)
