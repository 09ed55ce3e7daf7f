// The fields of the panels for teams and their members.
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { MemberForm, BalanceMoveForm, TeamForm } from '../../../core/teams/contract.ts'

export const teamEditForm = fieldsOfForm(TeamForm)
export const teamMemberForm = fieldsOfForm(MemberForm)
export const balanceMoveForm = fieldsOfForm(BalanceMoveForm)
