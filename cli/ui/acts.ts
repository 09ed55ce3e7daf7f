// The command for an action.
import { pickChangedAnswers } from '../parts/form-state.ts'
import type { AnyPage, UiAction } from './page.ts'
import type { RowAction } from './state.ts'

export const toUiAction = (page: AnyPage, { key }: RowAction): UiAction<never> =>
  page.actions.find((each) => each.key === key)!

/** Returns the words after `weir`; empty if there is nothing to do. */
export const buildCommandWords = (page: AnyPage, act: RowAction): readonly string[] =>
  toUiAction(page, act).command(act.row as never, act.answers, pickChangedAnswers(act.questions, act.answers))

/** Masks secret answers for display. */
export const hideSecretInputs = (act: RowAction): RowAction => ({
  ...act,
  answers: Object.fromEntries(
    Object.entries(act.answers).map(([name, value]) => {
      const isSecret = act.questions.some((one) => one.name === name && one.kind === 'secret')
      return [name, isSecret && value !== '' ? '••••' : value]
    }),
  ),
})
