// The questions of an editing form: every field that has a flag, filled with its value in the notation of the flag.
import type { FormControl } from '../../core/contract/control.ts'
import { asUntranslatedText } from '../language.ts'
import type { MoneyView } from '../output/format.ts'
import type { FormAnswers, FormQuestion } from '../parts/form-state.ts'
import { formatQuotaInput } from '../input/amount.ts'
import type { CommandForm } from '../input/form.ts'
import { buildQuestion, flagName, listChoices, listFlagControls, parseValue } from '../input/flags.ts'
import { findFlagProblem } from './questions.ts'

interface FieldQuestionOptions {
  /** Fields that have no question here. */
  without?: readonly string[]
  money: Pick<MoneyView, 'quota_per_unit'>
}

/** Returns one question for each field of the form that has a flag, by its name and with the value of the row. */
export const buildFieldQuestions = (
  form: CommandForm,
  row: object,
  { without = [], money }: FieldQuestionOptions,
): FormQuestion[] =>
  listFlagControls(form, without).map((control) => {
    const initial = formatFieldValue(control, (row as Record<string, unknown>)[control.name], money)
    const choices = listChoices(control)
    const properties: Partial<FormQuestion> = choices
      ? choices.join() === 'yes,no'
        ? { kind: 'yes_no' }
        : { kind: 'choice', choices: listFieldChoices(control, choices) }
      : { check: (text) => (text === initial ? undefined : findFlagProblem(() => parseValue(control, text))) }
    return buildQuestion(form, control.name, { initial, ...properties })
  })

const listFieldChoices = ({ choices: labels = [] }: FormControl, values: readonly string[]) =>
  values.map((value, at) => ({ value, label: labels[at] ?? asUntranslatedText(value === '' ? '–' : value) }))

/** Writes a stored value as its flag takes it. */
function formatFieldValue(control: FormControl, value: unknown, money: FieldQuestionOptions['money']): string {
  const { takes, values } = control
  if (takes === 'flag') return value === true ? 'yes' : 'no'
  if (takes === 'switch') return value === 1 ? 'yes' : 'no'
  if (takes === 'choice') return listChoices(control)?.[values.indexOf(String(value ?? ''))] ?? ''
  if (value === null || value === undefined) return ''
  if (takes === 'quota') return formatQuotaInput(Number(value), money)
  if (takes === 'lines') return String(value).split('\n').join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Writes changed fields as flags with their values, one word each, so that no value is taken for a flag. */
export const formatFieldFlags = (form: CommandForm, changed: FormAnswers): string[] =>
  listFlagControls(form, [])
    .filter(({ name }) => changed[name] !== undefined)
    .map((control) => `${flagName(control)}=${changed[control.name]}`)
