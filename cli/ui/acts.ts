// The command for an action.
import { type Answers, derive } from '../parts/form-state.ts'
import type { AnyPage, UiAction } from './page.ts'
import type { Act } from './state.ts'

export const actionOf = (page: AnyPage, { key }: Act): UiAction<never> => page.actions.find((each) => each.key === key)!

/** Returns the words after `weir`; empty if there is nothing to do. */
export const lineFor = (page: AnyPage, act: Act): readonly string[] =>
  actionOf(page, act).command(act.row as never, act.answers, pickChanged(act))

/** Returns the answers that differ from the form's initial values. */
const pickChanged = ({ questions, answers }: Act): Answers =>
  Object.fromEntries(
    Object.entries(answers).filter(([name, value]) => {
      const { initial, fallback } = questions.find((one) => one.name === name) ?? {}
      const stood = (derive(initial, answers) ?? '').trim()
      return value !== (stood === '' ? (derive(fallback, answers) ?? '') : stood)
    }),
  )

/** Masks secret answers for display. */
export const hideSecretInputs = (act: Act): Act => ({
  ...act,
  answers: Object.fromEntries(
    Object.entries(act.answers).map(([name, value]) => {
      const isSecret = act.questions.some((one) => one.name === name && one.kind === 'secret')
      return [name, isSecret && value !== '' ? '••••' : value]
    }),
  ),
})

// Parsing and quoting of command lines typed after `:`.

/** Splits a command line into words, as a shell does. */
export function splitWords(text: string): string[] {
  const parts = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  return parts.map((part) =>
    part.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  )
}

/** Quotes words as a shell command line. */
export const joinWords = (words: readonly string[]): string => words.map(quote).join(' ')

const quote = (word: string) => (/^[\w@%+=:,./•-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
