// Digests and signatures that anyone can verify: nothing here depends on the master secret.
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign, verify } from 'node:crypto'
import type { Secrets } from '../ports/secrets.ts'

type Signatures = Pick<Secrets, 'digest' | 'createSigningKey' | 'publicKeyOf' | 'sign' | 'signed'>

const bytes = (text: string) => Buffer.from(text, 'utf8')
const privateKeyFrom = (base64: string) =>
  createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' })
const publicKeyFrom = (base64: string) =>
  createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })

/** SHA-256 and Ed25519 (RFC 8032) by Node's own library. */
export const signatures: Signatures = {
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
