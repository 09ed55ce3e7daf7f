// The fields of the rule panel, their initial values, and the unit and subject of each kind.
import { AlertRuleForm } from '../../../core/alerts/alert.ts'
import { ruleKinds, type AlertKind, type RuleKind } from '../../../core/alerts/rule-kinds.ts'
import { fieldsOfForm } from '../../../core/contract/control.ts'

export const form = fieldsOfForm(AlertRuleForm)
export const initialRule = AlertRuleForm.parse({ name: '-', kind: 'error_rate', threshold: ruleKinds.error_rate.usual })
export const kinds = Object.fromEntries(
  Object.entries(ruleKinds).map(([kind, { title, fields, usual, bad }]) => [kind, { title, fields, usual, bad }]),
) as unknown as Record<AlertKind, Pick<RuleKind, 'title' | 'fields' | 'usual' | 'bad'>>
