// The fields of the forms of the user's account.
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { OwnForm, SettingForm } from '../../../core/users/contract.ts'
import { AccessTokenForm } from '../../../core/users/access-tokens.ts'

export const ownAccountForm = fieldsOfForm(OwnForm)
export const userSettingForm = fieldsOfForm(SettingForm)
export const accessTokenForm = fieldsOfForm(AccessTokenForm)
