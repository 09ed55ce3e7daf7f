// Signatures and tokens by library: AWS Signature Version 4, Google's grant for service accounts (RFC 7523), and the
// JWTs of Zhipu's older keys and of Kling's. Tencent's, Volcengine's and Xunfei's have no library. Each one is loaded
// with the first call that needs it.
import { createHash, createHmac } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { fail, GatewayError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { RequestSigner, TokenRequestOptions } from '../ports/signer.ts'
import type { UpstreamClient } from '../ports/upstream.ts'
import { signTencent, signVolcengine } from './signatures.ts'
import { joinParts } from '../dialects/json/json-bytes.ts'
import { parseJson } from '../dialects/json/json-value.ts'

// Caches tokens that were obtained for a key, until shortly before they expire.

/** A token and its lifetime, in seconds. */
interface TokenGrant {
  access_token: string
  expires_in: number
}

interface AccessTokens {
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

function createAccessTokens(clock: Clock): AccessTokens {
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
async function requestAccessToken(
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

interface SignerPorts {
  upstream: UpstreamClient
  clock: Clock
}

const ServiceAccount = z.object({
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string().optional(),
  token_uri: z.string().default('https://oauth2.googleapis.com/token'),
})

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const ASSERTION_SECONDS = 3600
const ZHIPU_SECONDS = 24 * 3600
const KLING_SECONDS = 1800

export function createSigner({ upstream, clock }: SignerPorts): RequestSigner {
  const tokens = createAccessTokens(clock)

  return {
    async aws({ method, url, headers, body }, { access_key, secret_key, region, service }) {
      const { SignatureV4 } = await import('@smithy/signature-v4')
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
          ...(body ? { body: joinParts(body) } : {}),
        },
        { signingDate: new Date(clock.now()) },
      )
      const { host: _host, 'content-type': _type, ...added } = signed.headers
      return added
    },

    tencent: (request, key) => signTencent(request, key, clock.now()),

    volcengine: (request, key) => signVolcengine(request, key, clock.now()),

    xunfei: (url, { api_key, api_secret }) => {
      const { host, pathname } = new URL(url)
      const date = new Date(clock.now()).toUTCString()
      const signature = createHmac('sha256', api_secret)
        .update(`host: ${host}\ndate: ${date}\nGET ${pathname} HTTP/1.1`)
        .digest('base64')
      const proof = `api_key="${api_key}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
      return { host, date, authorization: Buffer.from(proof).toString('base64') }
    },

    google: (key, way) =>
      tokens.getToken(key, async () => {
        const account = parseAccount(key)
        const form = { grant_type: GRANT, assertion: await assertion(account, clock.now()) }
        return requestAccessToken(upstream, { owner: 'Google', url: account.token_uri, form, way })
      }),

    baidu: ({ api_key, secret_key, token_url }, way) =>
      tokens.getToken(`baidu ${token_url} ${api_key} ${secret_key}`, () => {
        const query = { grant_type: 'client_credentials', client_id: api_key, client_secret: secret_key }
        const url = `${token_url}?${new URLSearchParams(query)}`
        return requestAccessToken(upstream, { owner: 'Baidu', url, form: {}, way })
      }),

    zhipu: (key) =>
      tokens.getToken(`zhipu ${key}`, async () => ({
        access_token: await createZhipuToken(key, clock.now()),
        expires_in: ZHIPU_SECONDS,
      })),

    kling: (key) =>
      tokens.getToken(`kling ${key}`, async () => ({
        access_token: await klingToken(key, clock.now()),
        expires_in: KLING_SECONDS,
      })),
  }
}

/**
 * As Zhipu's page on authentication describes it: times in milliseconds, and a custom header field.
 * @throws GatewayError channel.key_format
 */
async function createZhipuToken(key: string, now: number): Promise<string> {
  const [id, secret] = key.split('.')
  if (!id || !secret) return fail('channel.key_format')
  const { SignJWT } = await import('jose')
  return new SignJWT({ api_key: id, exp: now + ZHIPU_SECONDS * 1000, timestamp: now })
    .setProtectedHeader({ alg: 'HS256', sign_type: 'SIGN' })
    .sign(new TextEncoder().encode(secret))
}

/**
 * As "API Authentication" of Kling's General Information describes it: valid from 5 s ago, for clocks that differ.
 * @throws GatewayError channel.key_format
 */
async function klingToken(key: string, now: number): Promise<string> {
  const [access, secret, ...more] = key.split('|')
  if (!access || !secret || more.length > 0) return fail('channel.key_format')
  const { SignJWT } = await import('jose')
  const seconds = Math.floor(now / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(access)
    .setExpirationTime(seconds + KLING_SECONDS)
    .setNotBefore(seconds - 5)
    .sign(new TextEncoder().encode(secret))
}

function parseAccount(key: string): z.infer<typeof ServiceAccount> {
  const account = ServiceAccount.safeParse(parseJson(key))
  return account.success ? account.data : fail('channel.key_format')
}

/** Users paste keys whose line breaks were escaped twice. */
async function assertion(account: z.infer<typeof ServiceAccount>, now: number): Promise<string> {
  const { client_email, private_key, private_key_id: kid, token_uri } = account
  const { importPKCS8, SignJWT } = await import('jose')
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

/** Bytes to hash before yielding to other work. */
const SLICE_BYTES = 1024 * 1024

/** SHA-256, with an optional HMAC key, in the interface of the signing library. */
class Sha256 {
  readonly #hash
  readonly #waiting: Uint8Array[] = []

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret))
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    const bytes = toBytes(data)
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      this.#waiting.push(bytes.subarray(from, from + SLICE_BYTES))
    }
  }

  async digest(): Promise<Uint8Array> {
    for (const [at, slice] of this.#waiting.entries()) {
      if (at > 0) await setImmediate()
      this.#hash.update(slice)
    }
    return this.#hash.digest()
  }

  reset(): void {
    throw new Error('A hash is used once')
  }
}

function toBytes(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, 'utf8')
  return data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}
