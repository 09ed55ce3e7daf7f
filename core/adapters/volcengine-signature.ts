// Volcengine's request signature, HMAC-SHA256, as https://www.volcengine.com/docs/6369/67269 describes it. Of the
// headers, host, time and the digest of the body are signed, and the content type if there is one.
import type { UnsignedRequest, VolcengineKey } from '../ports/signer.ts'
import { signHmac, sha256 } from './hmac-signature.ts'

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
  const sum = sha256(body ?? '')
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
