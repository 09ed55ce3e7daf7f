// A WebSocket, from either side: messages in both directions, each with backpressure.

/** One frame: text, or bytes. */
export type SocketMessage = string | Uint8Array

/** The end of a conversation. `code` as in RFC 6455: 1005 if none was sent, 1006 if the connection broke. */
export interface ConversationEnd {
  code: number
  reason: string
}

/** One side of an open WebSocket. */
export interface Conversation {
  /**
   * The incoming messages, until either side ends the conversation. A slow reader slows the sender down. Can be read
   * once.
   * @throws GatewayError as `offence`
   */
  messages: AsyncIterable<SocketMessage>
  /** Sends a message. The promise resolves once the other side has read enough. Messages after the end are dropped. */
  send(message: SocketMessage): Promise<void> | undefined
  /**
   * Rejects with GatewayError `request.frames` or `upstream.frames` once the other side sends too many frames. After
   * that nothing is read from it, and `close` sends 1008 instead of any other code.
   */
  offence: Promise<never>
  /** Ends the conversation. A code that may not be sent is replaced by 1011. A second call has no effect. */
  close(code: number, reason: string): void
  /** The end of the conversation; undefined while it is open. */
  ended(): ConversationEnd | undefined
}
