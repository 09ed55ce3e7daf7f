// An act as the command that does it.
import { type Answers, derive } from '../parts/form-state.ts'
import type { AnyPage, UiAction } from './page.ts'
import type { Act } from './state.ts'

export const actionOf = (page: AnyPage, { key }: Act): UiAction<never> => page.actions.find((each) => each.key === key)!

/** The words behind `weir`; none where there is nothing to do. */
export const lineFor = (page: AnyPage, act: Act): readonly string[] =>
  actionOf(page, act).command(act.row as never, act.answers, changedIn(act))

/** The answers that are not what stood in the form. */
const changedIn = ({ questions, answers }: Act): Answers =>
  Object.fromEntries(
    Object.entries(answers).filter(([name, value]) => {
      const { initial, fallback } = questions.find((one) => one.name === name) ?? {}
      const stood = (derive(initial, answers) ?? '').trim()
      return value !== (stood === '' ? (derive(fallback, answers) ?? '') : stood)
    }),
  )

/** The act as it may be shown. */
export const hideSecretInputs = (act: Act): Act => ({
  ...act,
  answers: Object.fromEntries(
    Object.entries(act.answers).map(([name, value]) => {
      const isSecret = act.questions.some((one) => one.name === name && one.kind === 'secret')
      return [name, isSecret && value !== '' ? '••••' : value]
    }),
  ),
})

// A command line of weir as it is typed behind `:`, and as it is shown before it is run.

/** The words of a command line, as a shell would part them. */
export function wordsIn(text: string): string[] {
  const parts = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  return parts.map((part) =>
    part.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  )
}

/** The line that a shell would take these words from. */
export const lineOf = (words: readonly string[]): string => words.map(quoted).join(' ')

const quoted = (word: string) => (/^[\w@%+=:,./•-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
