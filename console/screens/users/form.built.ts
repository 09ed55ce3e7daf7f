// The fields of the panels for users.
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { OwnForm, UserEdit, UserForm } from '../../../core/users/contract.ts'

export const userAddForm = fieldsOfForm(UserForm)
export const userEditForm = fieldsOfForm(UserEdit)
/** The fields of an account that its user may change. */
export const ownAccountForm = fieldsOfForm(OwnForm)
