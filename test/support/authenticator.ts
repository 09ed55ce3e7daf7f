// A passkey device in software: makes and uses credentials as a browser with a security key does, and lies when told to.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What the browser would say truthfully, and a forger would not. */
export interface Lies {
  origin?: string
  /** Host name that the device believes to talk to. */
  party?: string
  challenge?: string
  type?: string
  /** Whether its owner gave a finger or a PIN. */
  verified?: boolean
  counter?: number
  /** Signs with a key of its own. */
  otherKey?: boolean
}

type Options = Record<string, unknown>

export interface Authenticator {
  /** Answers `navigator.credentials.create`. */
  make(options: Options, lies?: Lies): Record<string, unknown>
  /** Answers `navigator.credentials.get` with the credential made last. */
  use(options: Options, lies?: Lies): Record<string, unknown>
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** A device at a browser that shows a page of `origin`. */
export function createAuthenticator(origin: string): Authenticator {
  let id = Buffer.alloc(0)
  let keys = newKey()
  let counter = 0

  function said(type: string, options: Options, lies: Lies): Buffer {
    const { challenge = options.challenge, origin: from = origin } = lies
    return Buffer.from(JSON.stringify({ type: lies.type ?? type, challenge, origin: from, crossOrigin: false }))
  }
  function authenticatorData({ party, verified = true, counter: claimed }: Lies, credential?: Buffer): Buffer {
    const flags = PRESENT | (verified ? VERIFIED : 0) | (credential ? HAS_CREDENTIAL : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(claimed ?? counter)
    const parts = [sha256(party ?? new URL(origin).hostname), Buffer.from([flags]), count]
    return Buffer.concat(credential ? [...parts, credential] : parts)
  }
  const answer = (response: Record<string, Buffer>) => ({
    ...{ id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' },
    ...{ clientExtensionResults: {}, authenticatorAttachment: 'platform' },
    response: Object.fromEntries(Object.entries(response).map(([key, value]) => [key, value.toString('base64url')])),
  })

  return {
    make(options, lies = {}) {
      id = randomBytes(16)
      keys = newKey()
      const length = Buffer.from([0, id.length])
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(keys.publicKey)])
      const statement = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authenticatorData(lies, credential))],
      ])
      const attestationObject = Buffer.from(isoCBOR.encode(statement as never))
      return answer({ clientDataJSON: said('webauthn.create', options, lies), attestationObject })
    },
    use(options, lies = {}) {
      counter += 1
      const authenticatorBytes = authenticatorData(lies)
      const clientDataJSON = said('webauthn.get', options, lies)
      const { privateKey } = lies.otherKey ? newKey() : keys
      const signature = sign('sha256', Buffer.concat([authenticatorBytes, sha256(clientDataJSON)]), privateKey)
      return answer({ clientDataJSON, authenticatorData: authenticatorBytes, signature })
    },
  }
}

/** The public key in COSE's spelling: an elliptic curve key for ES256 on P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' }) as { x?: string; y?: string }
  const fields = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ])
  return Buffer.from(isoCBOR.encode(fields))
}
