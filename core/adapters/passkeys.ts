// Passkeys (WebAuthn), through a library, which is loaded on first use because it is the largest of all.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { GatewayError } from '../errors.ts'
import type { BrowserJson, Passkeys, StoredPasskey } from '../ports/identity.ts'

const loadWebauthnServer = () => import('@simplewebauthn/server')

const toDescriptors = (known: StoredPasskey[]) =>
  known.map(({ id, transports }) => ({ id, transports: transports.split(',').filter((each) => each !== '') }))

const throwInvalid = (cause: unknown): never => {
  throw new GatewayError('passkey.invalid', {}, { cause, detail: String(cause) })
}

export const passkeys: Passkeys = {
  async buildRegistrationOptions(party, user, known) {
    const { generateRegistrationOptions } = await loadWebauthnServer()
    const options = await generateRegistrationOptions({
      rpName: party.name,
      rpID: party.id,
      userID: new TextEncoder().encode(String(user.id)),
      userName: user.username,
      userDisplayName: user.display_name,
      excludeCredentials: toDescriptors(known),
      // A passkey replaces the password and the second factor: it must verify its owner and be found without a
      // username.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    return { options: options as unknown as BrowserJson, challenge: options.challenge }
  },
  async verifyRegistration(party, answer, challenge) {
    const { verifyRegistrationResponse } = await loadWebauthnServer()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    }).catch(throwInvalid)
    if (!verified) return throwInvalid('not verified')
    const { id, publicKey, counter, transports } = registrationInfo.credential
    const public_key = Buffer.from(publicKey).toString('base64url')
    return { id, public_key, counter, transports: (transports ?? []).join(',') }
  },
  async buildAuthenticationOptions(party, known) {
    const { generateAuthenticationOptions } = await loadWebauthnServer()
    const options = await generateAuthenticationOptions({
      rpID: party.id,
      userVerification: 'required',
      ...(known.length > 0 ? { allowCredentials: toDescriptors(known) } : {}),
    })
    return { options: options as unknown as BrowserJson, challenge: options.challenge }
  },
  async verifyAuthentication(party, answer, challenge, { id, public_key, counter }) {
    const { verifyAuthenticationResponse } = await loadWebauthnServer()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id, publicKey: Buffer.from(public_key, 'base64url'), counter },
      requireUserVerification: true,
    }).catch(throwInvalid)
    return verified ? authenticationInfo.newCounter : throwInvalid('not verified')
  },
}
