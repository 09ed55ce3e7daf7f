// Recordings asked for: what a client makes of one, and its words and events as they were recorded.
import { bytesOf, type Recording } from './recordings.ts'

/** Where a client is pointed. */
export interface Way {
  url: string
  key: string
}

/** What came of asking: what the client gave, or the error it raised. */
export type Outcome<T> =
  { value: T; error?: undefined } | { value?: undefined; error: { name: string; status?: number; message: string } }

/** Settles, without what differs between two calls: errors are told by class, status and message. */
export async function outcomeOf<T>(asked: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await asked }
  } catch (error) {
    const { name, message, status } = error as Error & { status?: number }
    const shown = { name: (error as object).constructor.name || name, message }
    return { error: typeof status === 'number' ? { ...shown, status } : shown }
  }
}

/** The model that a recording was made of; any name where it does not say. */
export const modelOf = (recording: Recording): string =>
  String((recording.request?.body as { model?: string } | null)?.model ?? recording.model ?? 'recorded-model')

/** The recorded request's body, or a plain one of its format. */
export const bodyOf = <T extends object>(recording: Recording, plain: T): T =>
  (recording.request?.body as T | undefined) ?? plain

/** The `event:` and `data:` of each event in a stream's text; comments and what has no data are left out. */
export function dataEvents(text: string): { event?: string; data: string }[] {
  const events = text.replaceAll('\r\n', '\n').split(/\n\n+/)
  return events.flatMap((lines) => {
    const field = (name: string) =>
      lines
        .split('\n')
        .filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
    const data = field('data')
    const [event] = field('event')
    return data.length === 0 ? [] : [{ ...(event ? { event } : {}), data: data.join('\n') }]
  })
}

/** The recorded answer as text. */
export const textOf = (recording: Recording): string => Buffer.from(bytesOf(recording)).toString()
