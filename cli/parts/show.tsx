// Starts and ends Ink for one form or one wait; loaded only when a person is asked.
import { Spinner } from '@inkjs/ui'
import { render } from 'ink'
import { useEffect, useState } from 'react'
import type { Language } from '../../core/errors.ts'
import { oneLine } from '../../core/logs/visible.ts'
import type { Answers, Question } from './form-state.ts'
import { Form } from './form.tsx'
import type { Key } from './keys.ts'
import { Speaking } from './speaking.ts'

// A spinner next to a label, for work that takes time.

const REFRESH_MS = 200

/** Draws the spinner with the current label. */
export function Working({ label }: { label(): string }) {
  const [, drawAgain] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => drawAgain((times) => times + 1), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return <Spinner label={oneLine(label())} />
}

/** Streams in the form that Ink expects. */
export interface Streams {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
}

/** Asks a form; resolves with null if the person left. */
export async function showForm(
  streams: Streams,
  { language, ...form }: { title?: string; questions: readonly Question[]; typed: readonly Key[]; language: Language },
): Promise<{ answers: Answers | null; rest: readonly Key[] }> {
  let end: { answers: Answers | null; rest: readonly Key[] } = { answers: null, rest: [] }
  const instance = render(
    <Speaking.Provider value={language}>
      <Form
        {...form}
        onEnd={(answers, rest) => {
          end = { answers, rest }
          instance.unmount()
        }}
      />
    </Speaking.Provider>,
    { ...streams, exitOnCtrlC: false, patchConsole: false },
  )
  await instance.waitUntilExit()
  return end
}

/** Shows a spinner until the work is done. */
export async function showWorking<T>(streams: Streams, label: () => string, work: Promise<T>): Promise<T> {
  const instance = render(<Working label={label} />, { ...streams, exitOnCtrlC: false, patchConsole: false })
  try {
    return await work
  } finally {
    instance.clear()
    instance.unmount()
  }
}
