// Compares the reading of one recording by one client with the expected one.
import type { LogEntry } from '../../core/calls/log-entry.ts'
import type { Json } from '../support/json.ts'
import type { Recording } from '../support/recordings.ts'
import { bodyOf, dataEvents, outcomeOf, textOf, type Outcome, type Way } from '../support/replay.ts'
import { recorded, type TestUpstream } from '../support/upstream.ts'
import type { Case } from './cases.ts'
import type { World } from './channels.ts'
import type { Client, Saying } from './saying.ts'

/** What a client read, or the error it raised. */
export type Heard = { said: Saying; failed?: undefined } | { said?: undefined; failed: Failed }

export interface Failed {
  /** The client's class of the error. */
  name: string
  status?: number
  message: string
}

/** What a recording says and its own client does not show: the sources of a recitation, which Google calls otherwise. */
const HIDDEN: Readonly<Record<string, Partial<Saying>>> = {
  'streaming-failure-recitation-no-content-91b322d6': { sources: ['https://www.example.com'] },
}

export const throughWeir = ({ weir, ada }: World): Way => ({ url: weir.url, key: ada.key })

/** The recorded request, or a plain one of the format. */
const requestOf = ({ recording, own }: Case): object => bodyOf(recording, own.plain)

/** Errors that the clients take for answers; Gemini refuses a prompt in an answer without candidates. */
function errorIn({ error, response, candidates, promptFeedback }: Json): { message: string } | undefined {
  const { blockReason, blockReasonMessage } = promptFeedback ?? {}
  if (blockReason && !candidates?.length) return { message: blockReasonMessage ?? blockReason }
  return error ?? response?.error
}

/** What a client gave, read. */
export function heardOf(client: Client, { value, error }: Outcome<unknown>): Heard {
  if (error) return { failed: error }
  const wrong = (Array.isArray(value) ? value : [value]).map(errorIn).find(Boolean)
  return wrong ? { failed: { name: '', message: wrong.message } } : { said: client.read(value) }
}

/** What the providers' own clients make of recordings, without Weir; each recording is played once, by an upstream of its own. */
export function createReferences(upstream: TestUpstream) {
  const known = new Map<Recording, Promise<Outcome<unknown>>>()

  async function playOnce(one: Case): Promise<Outcome<unknown>> {
    upstream.reply(recorded(one.plain))
    return outcomeOf(one.own.ask({ url: upstream.url, key: 'any' }, one.model, requestOf(one), one.streamed))
  }
  function outcome(one: Case): Promise<Outcome<unknown>> {
    const found = known.get(one.recording) ?? playOnce(one)
    known.set(one.recording, found)
    return found
  }
  return {
    /** The client's own result, without the usage that nobody asked for. */
    async parsed(one: Case): Promise<Outcome<unknown>> {
      const { value, error } = await outcome(one)
      if (error) return { error }
      return { value: Array.isArray(value) && one.streamed ? value.filter((chunk) => !isUnasked(one, chunk)) : value }
    },
    /** A reading of it, in nobody's format. */
    async heard(one: Case): Promise<Heard> {
      const { said, failed } = heardOf(one.own, await outcome(one))
      return said ? { said: { ...said, ...HIDDEN[one.recording.id] } } : { failed }
    },
  }
}

export type References = ReturnType<typeof createReferences>

/** What a client of any format makes of the recording through Weir, with a plain request. */
export async function heardThrough(world: World, one: Case, streamed = one.streamed): Promise<Heard> {
  world.answer(recorded(one.recording))
  const { client, model } = one
  return heardOf(client, await outcomeOf(client.ask(throughWeir(world), model, client.plain, streamed)))
}

/** What the provider's own client makes of the recording through Weir, with the recorded request. */
export async function parsedThrough(world: World, one: Case): Promise<Outcome<unknown>> {
  world.answer(recorded(one.recording))
  return outcomeOf(one.own.ask(throughWeir(world), one.model, requestOf(one), one.streamed))
}

/** The answer to the recorded request as raw HTTP: the events of a stream, else the whole text. */
export async function bytesThrough(world: World, one: Case): Promise<unknown> {
  world.answer(recorded(one.recording))
  const { url, headers, body } = one.client.raw(throughWeir(world), one.model, requestOf(one), one.streamed)
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  return one.streamed ? dataEvents(text) : text
}

/** The recorded bytes as the caller should get them: without usage that it did not ask for, and ended. */
export function bytesOf(one: Case): unknown {
  const text = textOf(one.plain)
  if (!one.streamed) return text
  const events = dataEvents(text)
  const end = events.findIndex(({ data }) => data.trim() === '[DONE]')
  // What some gateways put behind the end is no event of the format.
  const said = end < 0 ? events : events.slice(0, end)
  // The end mark of a chat, which some providers leave out.
  const mark = isChat(one) ? [{ data: '[DONE]' }] : []
  return [...said.filter(({ data }) => !isUnasked(one, JSON.parse(data))), ...mark]
}

const isChat = ({ own }: Case): boolean => own.name === 'OpenAI chat' || own.name === 'OpenAI completions'

/** A chunk of usage alone, of a caller who did not ask for it. */
function isUnasked(one: Case, chunk: Json): boolean {
  if (!isChat(one) || (requestOf(one) as Json).stream_options?.include_usage) return false
  return Boolean(chunk.usage) && (chunk.choices ?? []).length === 0
}

/** The newest row of the usage log. */
export async function lastRow({ weir, ada }: World): Promise<LogEntry> {
  const { items } = await weir.gateway.ports.storage.logs.list({ user_id: ada.user.id }, { offset: 0, limit: 1 })
  return items[0]!
}

/** The provider's own words for what went wrong, up to an address or a key, which nobody is shown; '' where there are none. */
export function wordsIn(recording: Recording): string {
  const [, words = '""'] =
    /"(?:message|error|detail|blockReasonMessage)":\s*("(?:[^"\\]|\\.)*")/.exec(textOf(recording)) ?? []
  return (JSON.parse(words) as string).split(/https?:|sk-/)[0]!.trim()
}
