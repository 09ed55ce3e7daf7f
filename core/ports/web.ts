// The one way out to addresses that people give: webhooks, identity providers, links, the version check. Not channels.

export interface WebRequest {
  method: 'GET' | 'POST'
  /** http or https, without a user name in it. */
  url: string
  headers?: Record<string, string>
  body?: string
  /** For the whole exchange, redirects included. */
  timeout_ms?: number
  /** Longest answer that is read. */
  max_bytes?: number
  /**
   * Takes the body of an answer of status 200 part by part as it comes; the reply's own body is then empty. An error that it
   * throws ends the exchange.
   */
  take?(part: Uint8Array): void
  /** A download or a webhook: goes through the operator's worker where there is one. */
  by_worker?: true
  /** Of https: tell until when its certificate is good, also where it is not; no redirect is followed. */
  certificate?: true
}

export interface WebReply {
  status: number
  headers: Record<string, string>
  body: Uint8Array
  /** Where it was asked for, in epoch ms. */
  certificate_ends?: number
}

export interface Web {
  /**
   * Refuses every address that is not public, unless the operator allows its network; connects to the address it has
   * checked. A GET follows a few redirects, each checked anew; headers do not go along to another origin.
   * @throws GatewayError web.refused, web.failed, web.too_large
   */
  send(request: WebRequest): Promise<WebReply>
}

/** The answer's body as text. */
export const replyText = (reply: WebReply): string => new TextDecoder().decode(reply.body)

/** The answer's body as JSON; undefined where it is none. */
export function parseJsonBody(reply: WebReply): unknown {
  try {
    return JSON.parse(replyText(reply))
  } catch {
    return undefined
  }
}
