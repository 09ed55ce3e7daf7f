// Passkeys of the browser: what may be asked of it here, and its answer.
import { notify } from './notify.ts'
import { currentLanguage, texts } from './texts.tsx'

/** A passkey belongs to a name: at a bare address (`http://10.0.0.7:3000`) a browser makes and gives none. */
export const hasPasskeys: boolean = 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname)

type Json = Record<string, unknown>

/** One that is known already, for who signs in or proves it. Null where the person or the device would not. */
export const passkeyFor = (options: Json): Promise<Json | null> =>
  answered(navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as never) }))

/** A new one. Null where the person or the device would not, which `none` says. */
export const newPasskey = (options: Json, none: string): Promise<Json | null> =>
  answered(
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as never) }),
    none,
  )

async function answered(asked: Promise<Credential | null>, none?: string): Promise<Json | null> {
  try {
    const given = (await asked) as PublicKeyCredential | null
    return given && (given.toJSON() as unknown as Json)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    if (error.name === 'SecurityError') notify.error(words[currentLanguage()].elsewhere)
    else if (none) notify.info(none)
    return null
  }
}

const words = texts({
  en: { elsewhere: 'Passkeys belong to the address of this site, and this page has another one' },
  zh: { elsewhere: '通行密钥只能在本站的地址下使用，而当前页面的地址与其不同' },
})
