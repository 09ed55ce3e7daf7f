// The shared part of cloud signatures that follow AWS's scheme: a key derived step by step from the parts of a scope,
// and a text signed with it. No maintained small library exists for those of Tencent and Volcengine.
import { createHash, createHmac } from 'node:crypto'

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
