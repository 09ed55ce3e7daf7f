// The reply shape of every JSON call: {success, message, data}, and further fields next to data.
import { z } from 'zod'

export interface ReplyEnvelope {
  success: boolean
  message: string
  data?: unknown
  /** The stable name of a refusal (see core/errors.ts); absent on success. */
  code?: string
  /** The path of the refused field, if the refusal is about one. */
  field?: string
  /** Every field that is refused, `field` with its message first. */
  fields?: { field: string; message: string }[]
  [extra: string]: unknown
}

/** Builds the reply of a success; `beside` has the fields next to `data`, and may set the message. */
export const buildSuccessEnvelope = (data: unknown, extra: Record<string, unknown> = {}): ReplyEnvelope => ({
  success: true,
  message: '',
  ...extra,
  data,
})

/** A refusal with its public message and stable code; `beside` as in a success. */
export const buildRefusalEnvelope = (
  message: string,
  code: string,
  extra: Record<string, unknown> = {},
): ReplyEnvelope => ({
  ...extra,
  success: false,
  message,
  code,
})

// A reply that is a file, sent while it is generated.

export interface FileReply {
  content_type: string
  filename: string
  /** Text, or bytes for binary files. */
  pieces: AsyncIterable<string | Uint8Array>
}

export const isFileReply = (reply: unknown): reply is FileReply =>
  typeof reply === 'object' && reply !== null && Symbol.asyncIterator in Object(Object(reply).pieces)

/** The reply of an endpoint that gives a file instead of an envelope. */
export const FileDownload = z.custom<FileReply>(isFileReply)

// A streaming reply: events as they happen, until either side ends it.

/**
 * `id` identifies the last event to a client that reconnects. The event's name is left out for the main kind of event.
 */
export interface ServerSentEvent {
  id?: number
  event?: string
  data: unknown
}

export interface EventReply {
  events: AsyncIterable<ServerSentEvent>
  /** Ends the events. A reader that stops early must call it. */
  end(): void
}

/**
 * The position to resume a stream from: the id of the last event received. Browsers send it as the header
 * Last-Event-ID.
 */
export const LAST_EVENT_PARAMETER = 'last_event_id'
export const resumableQueryFields = { [LAST_EVENT_PARAMETER]: z.coerce.number().int().min(0).default(0) }

export const isEventReply = (reply: unknown): reply is EventReply =>
  typeof reply === 'object' && reply !== null && Symbol.asyncIterator in Object(Object(reply).events)

/** The reply of an endpoint that gives server-sent events instead of an envelope. */
export const EventStream = z.custom<EventReply>(isEventReply)

/** Formats an event for sending. */
export function formatServerSentEvent({ id, event, data }: ServerSentEvent): string {
  const named = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`
  return `${named}data: ${JSON.stringify(data)}\n\n`
}

/** Parses the events of a text that arrives in arbitrary chunks. */
export async function* parseEventStream(pieces: AsyncIterable<string>): AsyncGenerator<ServerSentEvent> {
  let rest = ''
  for await (const piece of pieces) {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line] as const))
      const value = (name: string) => fields.get(name)?.slice(name.length + 2)
      const [id, event, data] = [value('id'), value('event'), value('data')]
      if (data === undefined) continue
      yield {
        ...(id === undefined ? {} : { id: Number(id) }),
        ...(event === undefined ? {} : { event }),
        data: JSON.parse(data) as unknown,
      }
    }
  }
}
