// The only client for addresses that users enter: webhooks, identity providers, links, the version check. Not for
// channels.

export interface WebRequest {
  method: 'GET' | 'POST'
  /** http or https, without a user name in it. */
  url: string
  headers?: Record<string, string>
  body?: string
  /** For the whole exchange, including redirects. */
  timeout_ms?: number
  /** Maximum size of the answer. */
  max_bytes?: number
  /**
   * Receives the body of an answer of status 200 in parts as they arrive; the reply's own body is then empty. An error
   * that it throws ends the exchange.
   */
  take?(part: Uint8Array): void
  /** A download or a webhook: sent through the operator's worker, if there is one. */
  by_worker?: true
  /** For https: also returns the expiry of the certificate, even of an invalid one. No redirect is followed. */
  certificate?: true
}

export interface WebReply {
  status: number
  headers: Record<string, string>
  body: Uint8Array
  /** The expiry of the certificate if requested, in epoch ms. */
  certificate_ends?: number
}

export interface WebClient {
  /**
   * Refuses every address that is not public, unless the operator allows its network, and connects to the checked
   * address. A GET follows a few redirects, each checked again; headers are not sent to another origin.
   * @throws GatewayError web.refused, web.failed, web.too_large
   */
  send(request: WebRequest): Promise<WebReply>
}

/** Returns the answer's body as text. */
export const readReplyText = (reply: WebReply): string => new TextDecoder().decode(reply.body)

/** Returns the answer's body as JSON; undefined if it is invalid. */
export function parseJsonBody(reply: WebReply): unknown {
  try {
    return JSON.parse(readReplyText(reply))
  } catch {
    return undefined
  }
}
