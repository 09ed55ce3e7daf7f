import { translate } from './texts.tsx'

// The passkeys of the browser: what it supports here, and its answers.
import { showNotice } from './notify.ts'
/**
 * A passkey belongs to a host name: at a bare IP address (`http://10.0.0.7:3000`) a browser neither creates nor offers
 * one.
 */
export const canUsePasskeys: boolean = 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname)

type CredentialJson = Record<string, unknown>

/** Asks for an existing passkey, for signing in or reauthentication. null if the user or the device declines. */
export const requestPasskey = (options: CredentialJson): Promise<CredentialJson | null> =>
  awaitCredential(
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as never) }),
  )

/** Creates a passkey. null if the user or the device declines, which the message `none` reports. */
export const createPasskey = (options: CredentialJson, none: string): Promise<CredentialJson | null> =>
  awaitCredential(
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as never) }),
    none,
  )

async function awaitCredential(request: Promise<Credential | null>, none?: string): Promise<CredentialJson | null> {
  try {
    const given = (await request) as PublicKeyCredential | null
    return given && (given.toJSON() as unknown as CredentialJson)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    if (error.name === 'SecurityError')
      showNotice.error(translate('Passkeys belong to the address of this site, and this page has another one'))
    else if (none) showNotice.info(none)
    return null
  }
}
