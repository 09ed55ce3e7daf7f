// The fields of the panel that makes and changes a rule, what stands in them at first, and what each kind speaks of.
import { AlertRuleForm } from '../../../core/alerts/alert.ts'
import { ruleKinds, type AlertKind, type RuleKind } from '../../../core/alerts/rule-kinds.ts'
import { fieldsOfForm } from '../../../core/contract/control.ts'

export const form = fieldsOfForm(AlertRuleForm)
export const begins = AlertRuleForm.parse({ name: '-', kind: 'error_rate', threshold: ruleKinds.error_rate.usual })
export const kinds = Object.fromEntries(
  Object.entries(ruleKinds).map(([kind, { title, fields, usual, bad }]) => [kind, { title, fields, usual, bad }]),
) as unknown as Record<AlertKind, Pick<RuleKind, 'title' | 'fields' | 'usual' | 'bad'>>
