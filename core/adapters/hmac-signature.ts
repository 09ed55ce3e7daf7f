// What the signatures of clouds have in common that follow AWS's scheme: a key made in steps of the parts of a scope, and a
// text that is signed with it. Nobody keeps a small library for Tencent's and Volcengine's.
import { createHash, createHmac } from 'node:crypto'

interface Signed {
  /** As `TC3-HMAC-SHA256`. */
  algorithm: string
  /** The time of the request, as the cloud writes it. */
  moment: string
  /** Day, region and service, as far as the cloud has them, and its last word. */
  scope: readonly string[]
  secret: string
  /** The request in the form that is signed. */
  canonical: string
}

/** Hex. */
export function hmacSignature({ algorithm, moment, scope, secret, canonical }: Signed): string {
  const key = scope.reduce<string | Buffer>((last, part) => createHmac('sha256', last).update(part).digest(), secret)
  return createHmac('sha256', key)
    .update([algorithm, moment, scope.join('/'), sha256(canonical)].join('\n'))
    .digest('hex')
}

export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')
