// Tencent Cloud's signature of a request, TC3-HMAC-SHA256, as its "Signature v3" page describes it: nobody keeps a small
// library for it. Only content type and host are signed of the headers, as in that page's own example.
import { createHash, createHmac } from 'node:crypto'
import type { TencentKey, Unsigned } from '../ports/signer.ts'

const ALGORITHM = 'TC3-HMAC-SHA256'
const SIGNED = 'content-type;host'

/** The headers that prove a request. `now` in epoch milliseconds. */
export function tencentSignature(
  { method, url, headers, body }: Unsigned,
  { secret_id, secret_key, service }: TencentKey,
  now: number,
): Record<string, string> {
  const { host, pathname, search } = new URL(url)
  const timestamp = String(Math.floor(now / 1000))
  const date = new Date(now).toISOString().slice(0, 10)
  const scope = `${date}/${service}/tc3_request`
  const named = `content-type:${headers['content-type'] ?? ''}\nhost:${host}\n`
  const canonical = [method, pathname, search.slice(1), named, SIGNED, sha256(body ?? '')].join('\n')
  const key = [date, service, 'tc3_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `TC3${secret_key}`,
  )
  const signature = createHmac('sha256', key)
    .update([ALGORITHM, timestamp, scope, sha256(canonical)].join('\n'))
    .digest('hex')
  return {
    authorization: `${ALGORITHM} Credential=${secret_id}/${scope}, SignedHeaders=${SIGNED}, Signature=${signature}`,
    'x-tc-timestamp': timestamp,
  }
}

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')
