// Signatures and tokens by library: AWS Signature Version 4, and Google's grant for service accounts (RFC 7523).
import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import { fail, GatewayError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Signer } from '../ports/signer.ts'
import type { Upstream } from '../ports/upstream.ts'

interface Ports {
  upstream: Upstream
  clock: Clock
}

const ServiceAccount = z.object({
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string().optional(),
  token_uri: z.string().default('https://oauth2.googleapis.com/token'),
})

const Granted = z.object({ access_token: z.string(), expires_in: z.number() })

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const ASSERTION_SECONDS = 3600
/** A token is given out until so long before its end. */
const MARGIN_MS = 5 * 60_000
const TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 64 * 1024
/** Accounts whose token is kept; beyond it the oldest is asked for again. */
const MAX_TOKENS = 1000

interface Token {
  text: Promise<string>
  /** Epoch milliseconds; not known while it is asked for. */
  until: number
}

export function createSigner({ upstream, clock }: Ports): Signer {
  // By a digest of the whole key: an edited key gets a token of its own.
  const tokens = new Map<string, Token>()

  async function grant(key: string, proxy: string | undefined, token: Token): Promise<string> {
    const account = accountOf(key)
    const body = new URLSearchParams({ grant_type: GRANT, assertion: await assertion(account, clock.now()) })
    const reply = await upstream.send(
      {
        method: 'POST',
        url: account.token_uri,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: new TextEncoder().encode(body.toString()),
        headers_timeout_ms: TIMEOUT_MS,
        idle_timeout_ms: TIMEOUT_MS,
        ...(proxy ? { proxy } : {}),
      },
      AbortSignal.timeout(TIMEOUT_MS),
    )
    const text = await textOf(reply.body)
    if (reply.status !== 200) {
      throw new GatewayError(
        'upstream.refused',
        { status: reply.status },
        { detail: `Google's token endpoint: ${text}` },
      )
    }
    const granted = Granted.safeParse(jsonIn(text))
    if (!granted.success) return fail('upstream.unreadable')
    token.until = clock.now() + granted.data.expires_in * 1000 - MARGIN_MS
    return granted.data.access_token
  }

  return {
    async aws({ method, url, headers, body }, { access_key, secret_key, region, service }) {
      const { protocol, hostname, host, port, pathname, searchParams } = new URL(url)
      const signer = new SignatureV4({
        service,
        region,
        credentials: { accessKeyId: access_key, secretAccessKey: secret_key },
        sha256: Sha256,
        applyChecksum: false,
      })
      const type = headers['content-type']
      const signed = await signer.sign(
        {
          method,
          protocol,
          hostname,
          ...(port ? { port: Number(port) } : {}),
          path: pathname,
          query: Object.fromEntries(searchParams),
          headers: { host, ...(type ? { 'content-type': type } : {}) },
          ...(body ? { body } : {}),
        },
        { signingDate: new Date(clock.now()) },
      )
      const { host: _host, 'content-type': _type, ...added } = signed.headers
      return added
    },

    google(key, proxy) {
      const digest = createHash('sha256').update(key).digest('hex')
      const known = tokens.get(digest)
      if (known && clock.now() < known.until) return known.text
      const token: Token = { text: Promise.resolve(''), until: Infinity }
      token.text = grant(key, proxy, token).catch((error: unknown) => {
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

function accountOf(key: string): z.infer<typeof ServiceAccount> {
  const account = ServiceAccount.safeParse(jsonIn(key))
  return account.success ? account.data : fail('channel.key_format')
}

/** People paste keys whose line breaks were escaped once more. */
async function assertion(account: z.infer<typeof ServiceAccount>, now: number): Promise<string> {
  const { client_email, private_key, private_key_id: kid, token_uri } = account
  const key = await importPKCS8(private_key.replaceAll('\\n', '\n'), 'RS256').catch((cause: unknown) =>
    fail('channel.key_format', {}, { cause }),
  )
  const issued = Math.floor(now / 1000)
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(kid ? { kid } : {}) })
    .setIssuer(client_email)
    .setAudience(token_uri)
    .setIssuedAt(issued)
    .setExpirationTime(issued + ASSERTION_SECONDS)
    .sign(key)
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > MAX_ANSWER_BYTES) fail('upstream.unreadable')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** SHA-256, keyed where there is a key, as the signing library wants it. */
class Sha256 {
  readonly #hash

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret))
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data))
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  reset(): void {
    throw new Error('A hash is used once')
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, 'utf8')
  return data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}
