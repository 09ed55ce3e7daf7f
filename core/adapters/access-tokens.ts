// Caches tokens that were obtained for a key, until shortly before they expire.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { fail, GatewayError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { TokenRequestOptions } from '../ports/signer.ts'
import type { UpstreamClient } from '../ports/upstream.ts'

/** A token and its lifetime, in seconds. */
export interface TokenGrant {
  access_token: string
  expires_in: number
}

export interface AccessTokens {
  /**
   * Returns the token of a key. It is cached by a digest of the key, so an edited key gets a new token. Concurrent
   * calls share one request; a failure is not cached.
   */
  getToken(key: string, grant: () => Promise<TokenGrant>): Promise<string>
}

/** Remaining lifetime below which a token is not returned any more, in ms. */
const MARGIN_MS = 5 * 60_000
/** Maximum number of cached tokens. Above it the oldest is dropped. */
const MAX_TOKENS = 1000

export function createAccessTokens(clock: Clock): AccessTokens {
  // `until` in epoch ms; not known while the token is requested.
  const tokens = new Map<string, { text: Promise<string>; until: number }>()

  return {
    getToken(key, grant) {
      const digest = createHash('sha256').update(key).digest('hex')
      const known = tokens.get(digest)
      if (known && clock.now() < known.until) return known.text
      const token = { text: Promise.resolve(''), until: Infinity }
      const request = grant().then(({ access_token, expires_in }) => {
        token.until = clock.now() + expires_in * 1000 - MARGIN_MS
        return access_token
      })
      token.text = request.catch((error: unknown) => {
        if (tokens.get(digest) === token) tokens.delete(digest)
        throw error
      })
      tokens.delete(digest)
      tokens.set(digest, token)
      for (const oldest of tokens.keys()) {
        if (tokens.size <= MAX_TOKENS) break
        tokens.delete(oldest)
      }
      return token.text
    },
  }
}

const Answer = z.object({ access_token: z.string(), expires_in: z.number() })

const TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 64 * 1024

/**
 * Requests a token from a token endpoint (RFC 6749: a form in, JSON out). `owner` names the key in the log.
 * @throws GatewayError upstream.refused, upstream.unreadable, upstream.unreachable …
 */
export async function requestAccessToken(
  upstream: UpstreamClient,
  { owner, url, form, way }: { owner: string; url: string; form: Record<string, string>; way: TokenRequestOptions },
): Promise<TokenGrant> {
  const reply = await upstream.send(
    {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new TextEncoder().encode(new URLSearchParams(form).toString()),
      headers_timeout_ms: TIMEOUT_MS,
      idle_timeout_ms: TIMEOUT_MS,
      ...way,
    },
    AbortSignal.timeout(TIMEOUT_MS),
  )
  const text = await readText(reply.body)
  if (reply.status !== 200) {
    throw new GatewayError(
      'upstream.refused',
      { status: reply.status },
      { detail: `${owner}'s token endpoint: ${text}` },
    )
  }
  const granted = Answer.safeParse(parseJson(text))
  return granted.success ? granted.data : fail('upstream.unreadable')
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > MAX_ANSWER_BYTES) fail('upstream.unreadable')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
