// The fields of the panels for teams and their members.
import { fieldsOfForm } from '../../../core/contract/control.ts'
import { MemberForm, MovedForm, TeamForm } from '../../../core/teams/contract.ts'

export const teamForm = fieldsOfForm(TeamForm)
export const memberForm = fieldsOfForm(MemberForm)
export const movedForm = fieldsOfForm(MovedForm)
