// Secrets as the first releases had them: what they encrypted was bound to no place.
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { createSecrets } from '../../core/adapters/crypto.ts'
import type { Secrets } from '../../core/ports/secrets.ts'

/** Those of this master secret. */
export function unboundSecrets(master: string): Secrets {
  const secrets = createSecrets(master)
  const key = Buffer.from(hkdfSync('sha256', master, 'weir', 'encryption', 32))
  return {
    ...secrets,
    encrypt(text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `v1.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`
    },
    decrypt: (sealed) => secrets.decryptUnbound(sealed),
    decryptUnbound: () => {
      throw new Error('nothing is older')
    },
  }
}
