// The fields of the rule panel, their initial values, and the unit and subject of each kind.
import { AlertRuleForm } from '../../../core/alerts/alert.ts'
import { alertRuleKinds, type AlertKind, type RuleKind } from '../../../core/alerts/rule-kinds.ts'
import { fieldsOfForm } from '../../../core/contract/control.ts'

export const ruleForm = fieldsOfForm(AlertRuleForm)
export const initialAlertRule = AlertRuleForm.parse({
  name: '-',
  kind: 'error_rate',
  threshold: alertRuleKinds.error_rate.usual,
})
export const ruleKindFields = Object.fromEntries(
  Object.entries(alertRuleKinds).map(([kind, { title, fields, usual, bad }]) => [kind, { title, fields, usual, bad }]),
) as unknown as Record<AlertKind, Pick<RuleKind, 'title' | 'fields' | 'usual' | 'bad'>>
