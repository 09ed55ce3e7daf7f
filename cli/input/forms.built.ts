// The forms that commands fill in. The bundle holds their values, without the schemas that they are made of.
import { AlertRuleForm, AlertRulePatch, WatchedMetric } from '../../core/alerts/alert.ts'
import { LoginServiceForm } from '../../core/auth/login-service.ts'
import { ChannelForm, ChannelPatch } from '../../core/channels/channel.ts'
import { KeyedChannelForm, KeyedChannelPatch } from '../../core/channels/contract.ts'
import { RedemptionForm } from '../../core/redemptions/contract.ts'
import { SetupForm } from '../../core/site/contract.ts'
import { MemberForm, TeamViewForm } from '../../core/teams/contract.ts'
import { TokenForm } from '../../core/tokens/contract.ts'
import { OrderDecision } from '../../core/topups/contract.ts'
import { AccessTokenForm } from '../../core/users/access-tokens.ts'
import { OwnForm, SettingForm, UserEdit, UserForm } from '../../core/users/contract.ts'
import { toCommandForm } from './form.ts'

export const accessTokenForm = toCommandForm(AccessTokenForm)
export const alertRuleForm = toCommandForm(AlertRuleForm)
export const alertRulePatch = toCommandForm(AlertRulePatch)
export const channelForm = toCommandForm(ChannelForm)
export const channelPatch = toCommandForm(ChannelPatch)
export const keyedChannelForm = toCommandForm(KeyedChannelForm)
export const keyedChannelPatch = toCommandForm(KeyedChannelPatch)
export const loginServiceForm = toCommandForm(LoginServiceForm)
export const memberForm = toCommandForm(MemberForm)
export const orderDecision = toCommandForm(OrderDecision)
export const ownForm = toCommandForm(OwnForm)
export const redemptionForm = toCommandForm(RedemptionForm)
export const settingForm = toCommandForm(SettingForm)
export const setupForm = toCommandForm(SetupForm)
export const teamViewForm = toCommandForm(TeamViewForm)
export const tokenForm = toCommandForm(TokenForm)
export const userEdit = toCommandForm(UserEdit)
export const userForm = toCommandForm(UserForm)
export const watchedMetric = toCommandForm(WatchedMetric)
