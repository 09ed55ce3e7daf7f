// Tencent Cloud's request signature, TC3-HMAC-SHA256, as its "Signature v3" page describes it. Of the headers only
// content type and host are signed, as in that page's own example.
import type { TencentKey, UnsignedRequest } from '../ports/signer.ts'
import { signHmac, sha256 } from './hmac-signature.ts'

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
  const canonical = [method, pathname, search.slice(1), named, SIGNED, sha256(body ?? '')].join('\n')
  const signature = signHmac({ algorithm: TENCENT_ALGORITHM, moment, scope, secret: `TC3${secret_key}`, canonical })
  return {
    authorization: `${TENCENT_ALGORITHM} Credential=${secret_id}/${scope.join('/')}, SignedHeaders=${SIGNED}, Signature=${signature}`,
    'x-tc-timestamp': moment,
  }
}
