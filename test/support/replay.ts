// Recordings played to a client twice, through Weir and without it: what the client makes of both must be the same.
//
//   await weir.addChannel({ type: 14, models: modelOf(recording) })        // base_url is the replaying upstream's
//   const { direct, through } = await bothWays(weir, ada, recording, async ({ url, key }) =>
//     new SomeClient({ baseURL: url, apiKey: key }).ask(bodyOf(recording, plainRequest)))
//   expect(through).toEqual(direct)
import type { Caller, TestGateway } from './gateway.ts'
import { bytesOf, type Recording } from './recordings.ts'
import { recorded, type TestReply } from './upstream.ts'

/** Where a client is pointed. */
export interface Way {
  url: string
  key: string
}

/** What came of asking: what the client gave, or the error it raised. */
export type Outcome<T> =
  { value: T; error?: undefined } | { value?: undefined; error: { name: string; status?: number; message: string } }

/** Asks the replayed provider itself, then through Weir. Pass `reply` to play something else than the recording. */
export async function bothWays<T>(
  weir: TestGateway,
  caller: Caller,
  recording: Recording,
  ask: (way: Way) => Promise<T>,
  reply: TestReply = recorded(recording),
): Promise<{ direct: Outcome<T>; through: Outcome<T> }> {
  weir.upstream.reply(reply)
  const direct = await outcomeOf(ask({ url: weir.upstream.url, key: 'any' }))
  const through = await outcomeOf(ask({ url: weir.url, key: caller.key }))
  return { direct, through }
}

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

/** The events of a recorded stream as texts, each with its closing blank line; joined they are the stream. */
export const eventsOf = ({ response }: Recording): string[] => response.sse ?? []

/** The recorded stream broken off behind so many of its events: by a plain end, or by a reset of the connection. */
export const brokenOff = (recording: Recording, events: number, by: 'end' | 'reset' = 'end'): TestReply => ({
  ...recorded(recording),
  chunks: eventsOf(recording).slice(0, events),
  ...(by === 'reset' ? { reset: events } : {}),
})

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
