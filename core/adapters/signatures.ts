// Digests and signatures that anyone can verify: nothing here depends on the master secret.
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  sign,
  verify,
} from 'node:crypto'
import { joinParts } from '../dialects/json/json-bytes.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { TencentKey, UnsignedRequest, VolcengineKey } from '../ports/signer.ts'

type Signatures = Pick<Secrets, 'digest' | 'createSigningKey' | 'publicKeyOf' | 'sign' | 'signed'>

const bytes = (text: string) => Buffer.from(text, 'utf8')
const privateKeyFrom = (base64: string) =>
  createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' })
const publicKeyFrom = (base64: string) =>
  createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })

/** SHA-256 and Ed25519 (RFC 8032) by Node's own library. */
export const nodeSignatures: Signatures = {
  digest: (text) => hash('sha256', text, 'hex'),
  createSigningKey: () =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  publicKeyOf: (privateKey) =>
    createPublicKey(privateKeyFrom(privateKey)).export({ format: 'der', type: 'spki' }).toString('base64'),
  sign: (text, privateKey) => sign(null, bytes(text), privateKeyFrom(privateKey)).toString('base64url'),
  signed(text, signature, publicKey) {
    try {
      const key = publicKeyFrom(publicKey)
      return key.asymmetricKeyType === 'ed25519' && verify(null, bytes(text), key, Buffer.from(signature, 'base64url'))
    } catch {
      return false
    }
  },
}

// The shared part of cloud signatures that follow AWS's scheme: a key derived step by step from the parts of a scope,
// and a text signed with it. No maintained small library exists for those of Tencent and Volcengine.

interface Signed {
  /** For example `TC3-HMAC-SHA256`. */
  algorithm: string
  /** The time of the request, in the format of the cloud. */
  moment: string
  /** Day, region and service, as far as the cloud uses them, and the final constant. */
  scope: readonly string[]
  secret: string
  /** The canonical request, which is signed. */
  canonical: string
}

/** Hex. */
export function signHmac({ algorithm, moment, scope, secret, canonical }: Signed): string {
  const key = scope.reduce<string | Buffer>((last, part) => createHmac('sha256', last).update(part).digest(), secret)
  return createHmac('sha256', key)
    .update([algorithm, moment, scope.join('/'), sha256(canonical)].join('\n'))
    .digest('hex')
}

export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

// Tencent Cloud's request signature, TC3-HMAC-SHA256, as its "Signature v3" page describes it. Of the headers only
// content type and host are signed, as in that page's own example.

const TENCENT_ALGORITHM = 'TC3-HMAC-SHA256'
const SIGNED = 'content-type;host'

/** Returns the headers that authenticate a request. `now` in epoch milliseconds. */
export function signTencent(
  { method, url, headers, body }: UnsignedRequest,
  { secret_id, secret_key, service }: TencentKey,
  now: number,
): Record<string, string> {
  const { host, pathname, search } = new URL(url)
  const moment = String(Math.floor(now / 1000))
  const scope = [new Date(now).toISOString().slice(0, 10), service, 'tc3_request']
  const named = `content-type:${headers['content-type'] ?? ''}\nhost:${host}\n`
  const canonical = [method, pathname, search.slice(1), named, SIGNED, sha256(body ? joinParts(body) : '')].join('\n')
  const signature = signHmac({ algorithm: TENCENT_ALGORITHM, moment, scope, secret: `TC3${secret_key}`, canonical })
  return {
    authorization: `${TENCENT_ALGORITHM} Credential=${secret_id}/${scope.join('/')}, SignedHeaders=${SIGNED}, Signature=${signature}`,
    'x-tc-timestamp': moment,
  }
}

// Volcengine's request signature, HMAC-SHA256, as https://www.volcengine.com/docs/6369/67269 describes it. Of the
// headers, host, time and the digest of the body are signed, and the content type if there is one.

const VOLCENGINE_ALGORITHM = 'HMAC-SHA256'

/** Returns the headers that authenticate a request. `now` in epoch milliseconds. */
export function signVolcengine(
  { method, url, headers, body }: UnsignedRequest,
  { access_key, secret_key, region, service }: VolcengineKey,
  now: number,
): Record<string, string> {
  const { host, pathname, searchParams } = new URL(url)
  const moment = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const scope = [moment.slice(0, 8), region, service, 'request']
  const sum = sha256(body ? joinParts(body) : '')
  const type = headers['content-type']
  const signed = { ...(type ? { 'content-type': type } : {}), host, 'x-content-sha256': sum, 'x-date': moment }
  const names = Object.keys(signed).join(';')
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value.trim()}\n`)
  searchParams.sort()
  const query = [...searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  const canonical = [method, pathname, query, lines.join(''), names, sum].join('\n')
  const signature = signHmac({ algorithm: VOLCENGINE_ALGORITHM, moment, scope, secret: secret_key, canonical })
  return {
    authorization: `${VOLCENGINE_ALGORITHM} Credential=${access_key}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`,
    'x-content-sha256': sum,
    'x-date': moment,
  }
}
