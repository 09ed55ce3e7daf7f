// Starts and ends Ink for one form or one wait; loaded only when a person is asked.
import { Spinner } from '@inkjs/ui'
import { render } from 'ink'
import { useEffect, useState } from 'react'
import type { Language } from '../../core/errors.ts'
import { toOneLine } from '../../core/logs/visible.ts'
import type { FormAnswers, FormQuestion } from './form-state.ts'
import { FieldListForm } from './field-list.tsx'
import { TerminalForm } from './form.tsx'
import type { PressedKey } from './keys.ts'
import { TranslateContext } from './speaking.ts'

// A spinner next to a label, for work that takes time.

const REFRESH_MS = 200

/** Draws the spinner with the current label. */
export function Working({ label }: { label(): string }) {
  const [, drawAgain] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => drawAgain((times) => times + 1), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return <Spinner label={toOneLine(label())} />
}

/** Streams in the form that Ink expects. */
export interface InkStreams {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
}

interface ShownForm {
  title?: string
  questions: readonly FormQuestion[]
  /** One question after the other, or all fields in one list, which returns the changed ones. */
  look: 'questions' | 'fields'
  typed: readonly PressedKey[]
  language: Language
}

const USUAL_SIZE = { columns: 80, rows: 24 }

/** Asks a form; resolves with null if the person left. */
export async function showTerminalForm(
  streams: InkStreams,
  { language, look, title, ...form }: ShownForm,
): Promise<{ answers: FormAnswers | null; rest: readonly PressedKey[] }> {
  let end: { answers: FormAnswers | null; rest: readonly PressedKey[] } = { answers: null, rest: [] }
  const onEnd = (answers: FormAnswers | null, rest: readonly PressedKey[]) => {
    end = { answers, rest }
    instance.unmount()
  }
  const { columns = USUAL_SIZE.columns, rows = USUAL_SIZE.rows } = streams.stdout
  const instance = render(
    <TranslateContext.Provider value={language}>
      {look === 'questions' ? (
        <TerminalForm title={title} {...form} onEnd={onEnd} />
      ) : (
        <FieldListForm title={title ?? ''} {...form} size={{ columns, rows }} onEnd={onEnd} />
      )}
    </TranslateContext.Provider>,
    { ...streams, exitOnCtrlC: false, patchConsole: false },
  )
  await instance.waitUntilExit()
  return end
}

/** Shows a spinner until the work is done. */
export async function showWorking<T>(streams: InkStreams, label: () => string, work: Promise<T>): Promise<T> {
  const instance = render(<Working label={label} />, { ...streams, exitOnCtrlC: false, patchConsole: false })
  try {
    return await work
  } finally {
    instance.clear()
    instance.unmount()
  }
}
