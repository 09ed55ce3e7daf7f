// Writes an answer as messages of a WebSocket: the events of a stream over HTTP, one JSON text each, and exactly one final event.
import { openaiResponses, withRequestId, type CallCaller, type Conversation, type Reply } from '../core/index.ts'
import type { CallFailure } from '../core/dialects/answers/call-failure.ts'
import { createFrameParser, type SseFrame, type OutputPiece } from '../core/dialects/answers/frames.ts'
import { asObject, parseJson, parseJsonBytes, type JsonObject } from '../core/dialects/json/json-value.ts'
import { isFinalRefusal, SHOULD_RETRY_HEADER } from './refuse.ts'

const ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed'])
/** The type of an event, which is at or near its beginning. */
const TYPE = /"type"\s*:\s*"(response\.[\w.]+|error)"/
const NUMBER = /"sequence_number"\s*:\s*(\d+)/

export class SocketReply implements Reply {
  private readonly frames = createFrameParser()
  private readonly socket: Pick<Conversation, 'send'>
  private readonly stream: string | undefined
  /** The event that announced the response. */
  private created: string | undefined
  private ended = false
  private failed = false
  private sequence = 0
  /** The `error` event of the stream. The final event repeats its message. */
  private error: JsonObject | undefined

  /** @param stream the lane's name, which each event carries */
  constructor(socket: Pick<Conversation, 'send'>, stream: string | undefined) {
    this.socket = socket
    this.stream = stream
  }

  /** True if the response has failed or was refused. */
  get isFailed(): boolean {
    return this.failed
  }

  admitted(): void {}

  head(): void {}

  write(pieces: OutputPiece[]): Promise<void> | undefined {
    let full: Promise<void> | undefined
    for (const piece of pieces) {
      const frames = piece instanceof Uint8Array ? this.frames.push(piece) : [piece]
      for (const frame of frames) full = this.sendFrame(frame) ?? full
    }
    return full
  }

  whole(_: unknown, pieces: OutputPiece[]): void {
    void this.write(pieces)
  }

  /** Sends the final event if it is missing: a response that has started fails, any other request is refused. */
  close(caller: Pick<CallCaller, 'request_id' | 'language'>, failure?: CallFailure): void {
    for (const frame of this.frames.end()) void this.sendFrame(frame)
    if (this.ended) return
    this.ended = this.failed = true
    if (this.created === undefined) return this.refuse(caller, failure)
    const response = asObject(asObject(parseJson(this.created))?.response) ?? {}
    const written =
      failure &&
      asObject(asObject(parseJsonBytes(openaiResponses.writeErrorReply(withRequestId(failure, caller))))?.error)
    const { code = 'server_error', message = 'The response failed' } = written ?? this.error ?? {}
    const sequence_number = this.sequence + 1
    this.send({
      type: 'response.failed',
      sequence_number,
      response: { ...response, status: 'failed', error: { code: code ?? 'server_error', message } },
    })
  }

  private refuse(caller: Pick<CallCaller, 'request_id' | 'language'>, failure: CallFailure | undefined): void {
    if (failure) this.send(buildSocketError(failure, caller))
    else this.send({ type: 'error', status: 502, error: this.error ?? {} })
  }

  private sendFrame({ event, data }: SseFrame): Promise<void> | undefined {
    const type = event ?? TYPE.exec(data)?.[1]
    // Drops the end mark of streams over HTTP, and events after the final one.
    if (this.ended || !data.startsWith('{')) return undefined
    if (type === 'error') {
      const parsedError = asObject(parseJson(data)) ?? {}
      this.error = asObject(parsedError.error) ?? parsedError
      return undefined
    }
    if (type === 'response.created') this.created = data
    this.sequence = Number(NUMBER.exec(data)?.[1] ?? this.sequence)
    if (type !== undefined && ENDS.has(type)) {
      this.ended = true
      this.failed = type === 'response.failed'
    }
    return this.sendText(data)
  }

  private send = (event: JsonObject): void => void this.sendText(JSON.stringify(event))

  private sendText(data: string): Promise<void> | undefined {
    const { stream } = this
    return this.socket.send(stream === undefined ? data : `{"stream_id":${JSON.stringify(stream)},${data.slice(1)}`)
  }
}

/** Builds the message of a refusal, with its status and the time after which the client may retry. */
export function buildSocketError(
  failure: CallFailure,
  caller: Pick<CallCaller, 'request_id' | 'language'>,
  stream?: string,
): JsonObject {
  const { error } = asObject(parseJsonBytes(openaiResponses.writeErrorReply(withRequestId(failure, caller)))) ?? {}
  const { retry_after_ms } = failure
  return {
    type: 'error',
    status: failure.status,
    error,
    ...(retry_after_ms
      ? {
          headers: {
            'retry-after': String(Math.ceil(retry_after_ms / 1000)),
            ...(isFinalRefusal(failure) ? { [SHOULD_RETRY_HEADER]: 'false' } : {}),
          },
        }
      : {}),
    ...(stream === undefined ? {} : { stream_id: stream }),
  }
}
