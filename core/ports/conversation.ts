// A WebSocket, from either side: messages both ways, each side held back by the other's pace.

/** One frame: text, or bytes. */
export type SocketMessage = string | Uint8Array

/** How a conversation ended. `code` as in RFC 6455: 1005 where none was said, 1006 where the connection broke. */
export interface Ending {
  code: number
  reason: string
}

/** One side of a WebSocket that is open. */
export interface Conversation {
  /**
   * The incoming messages, until either side ends the conversation. A slow reader holds the sender back. Can be read once.
   * @throws GatewayError as `offence`
   */
  messages: AsyncIterable<SocketMessage>
  /** What it gives resolves once the other side has read enough; what is sent after the end goes nowhere. */
  send(message: SocketMessage): Promise<void> | undefined
  /**
   * Rejects with GatewayError `request.frames` or `upstream.frames` once the other side sends more frames than may come.
   * Nothing of it is read from then on, and `close` tells it 1008, whatever the code.
   */
  offence: Promise<never>
  /** Ends it; a code that may not be sent goes out as 1011. A second call does nothing. */
  close(code: number, reason: string): void
  /** How it ended; undefined while it is open. */
  ended(): Ending | undefined
}
