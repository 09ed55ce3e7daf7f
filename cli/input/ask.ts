// Questions to a person, on a terminal only. Elsewhere every question is an error that names its flag.
import { fillTemplate, type Language } from '../../core/errors.ts'
import { CommandCancelled, UsageError } from '../failure.ts'
import { pickLanguage, type BilingualText } from '../language.ts'
import type { FormAnswers, FormQuestion } from '../parts/form-state.ts'
import type { PressedKey } from '../parts/keys.ts'
import type { InkStreams } from '../parts/show.tsx'
import { words } from '../texts.ts'

export interface TerminalPrompts {
  /** True if a person can be asked. */
  readonly possible: boolean
  /** Asks several questions; `flags` are the flags that could have been given instead. @throws UsageError, Cancelled */
  form(title: BilingualText | undefined, questions: readonly FormQuestion[], flags: string): Promise<FormAnswers>
  /** Shows fields with their values, and returns those that were changed. @throws UsageError, Cancelled */
  fields(title: BilingualText, questions: readonly FormQuestion[], flags: string): Promise<FormAnswers>
  /** Asks for yes or no. @throws UsageError naming --yes if no person can be asked */
  confirm(label: BilingualText, initial?: 'yes' | 'no'): Promise<boolean>
  /**
   * Shows a progress sign until the work is done. A label that is a function is called repeatedly, to show progress.
   */
  during<T>(label: BilingualText | (() => BilingualText), work: Promise<T>): Promise<T>
}

/** Creates the prompts. `colour` false also disables colours in the drawing library. */
export function createTerminalPrompts(
  possible: boolean,
  streams: InkStreams,
  { colour, language, signsAllowed = possible }: { colour: boolean; language: Language; signsAllowed?: boolean },
): TerminalPrompts {
  let typed: readonly PressedKey[] = []

  const show = async () => {
    // The drawing library chooses its colours at load time and does not know NO_COLOR.
    if (!colour) process.env.FORCE_COLOR = '0'
    return import('../parts/show.tsx')
  }

  const ask = async (
    title: BilingualText | undefined,
    questions: readonly FormQuestion[],
    flags: string,
    look: 'questions' | 'fields',
  ): Promise<FormAnswers> => {
    if (!possible)
      throw new UsageError(fillTemplate(words('{flags} is required: no terminal is available to ask on.'), { flags }))
    const { showTerminalForm: showForm } = await show()
    const { answers, rest } = await showForm(streams, {
      title: title && pickLanguage(title, language),
      look,
      questions,
      typed,
      language,
    })
    typed = rest
    if (!answers) throw new CommandCancelled()
    return answers
  }

  const form: TerminalPrompts['form'] = (title, questions, flags) => ask(title, questions, flags, 'questions')
  return {
    possible,
    form,
    fields: (title, questions, flags) => ask(title, questions, flags, 'fields'),
    async confirm(label, initial = 'no') {
      const answers = await form(undefined, [{ name: 'sure', label, kind: 'yes_no', initial }], '--yes')
      return answers.sure === 'yes'
    },
    async during(label, work) {
      const now = () => pickLanguage(typeof label === 'function' ? label() : label, language)
      return signsAllowed ? (await show()).showWorking(streams, now, work) : work
    },
  }
}
