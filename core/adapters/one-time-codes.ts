// Codes of authenticator apps, through a library.
import { Secret, TOTP } from 'otpauth'
import type { OneTimeCodes } from '../ports/identity.ts'

const totp = (secret: string, more: { label?: string; issuer?: string } = {}) =>
  new TOTP({ ...more, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })

export const oneTimeCodes: OneTimeCodes = {
  newSecret: () => new Secret({ size: 20 }).base32,
  address: (secret, label, issuer) => totp(secret, { label, issuer }).toString(),
  stepOf(secret, code, nowMs) {
    if (!/^\d{6}$/.test(code)) return null
    const delta = totp(secret).validate({ token: code, timestamp: nowMs, window: 1 })
    return delta === null ? null : TOTP.counter({ period: 30, timestamp: nowMs }) + delta
  },
}
