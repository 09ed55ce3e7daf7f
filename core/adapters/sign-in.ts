// OpenID Connect through a library, over the guarded web client. It is loaded with the first sign-in.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Configuration, CustomFetch } from 'openid-client'
import { Secret, TOTP } from 'otpauth'
import { GatewayError } from '../errors.ts'
import type {
  BrowserJson,
  OidcSignIn,
  OidcClaims,
  OidcClient,
  OneTimeCodes,
  PasskeyService,
  StoredPasskey,
} from '../ports/identity.ts'
import type { WebClient } from '../ports/web.ts'

const loadOpenidClient = () => import('openid-client')

export function createOidcClient(web: WebClient): OidcSignIn {
  const fetchThrough: CustomFetch = async (url, { method, headers, body }) => {
    const reply = await web.send({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body as URLSearchParams) }),
    })
    const empty = reply.status === 204 || reply.status === 304
    return new Response(empty ? null : Buffer.from(reply.body), { status: reply.status, headers: reply.headers })
  }

  async function configured({ label, well_known, client_id, client_secret }: OidcClient): Promise<Configuration> {
    const client = await loadOpenidClient()
    const insecure = well_known.startsWith('http://') ? [client.allowInsecureRequests] : []
    try {
      // Operators may run a provider on a plain HTTP network. The web port decides whether it may be reached.
      return await client.discovery(new URL(well_known), client_id, client_secret, undefined, {
        execute: [...insecure, client.enableNonRepudiationChecks],
        [client.customFetch]: fetchThrough,
      })
    } catch (error) {
      throw new GatewayError('oauth.unreachable', { provider: label }, { cause: error, detail: String(error) })
    }
  }

  return {
    async authorizationUrl(provider, { state, nonce, verifier }) {
      const client = await loadOpenidClient()
      const config = await configured(provider)
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: provider.redirect_uri,
        scope: provider.scopes,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return url.href
    },
    async identify(provider, code, { state, nonce, verifier }) {
      const client = await loadOpenidClient()
      const config = await configured(provider)
      const returned = new URL(provider.redirect_uri)
      returned.searchParams.set('code', code)
      returned.searchParams.set('state', state)
      // The sign-in page forwards only code and state. The state identifies the provider, as the issuer would.
      returned.searchParams.set('iss', config.serverMetadata().issuer)
      try {
        const tokens = await client.authorizationCodeGrant(config, returned, {
          expectedState: state,
          idTokenExpected: true,
          ...(nonce ? { expectedNonce: nonce } : {}),
          ...(verifier ? { pkceCodeVerifier: verifier } : {}),
        })
        const claims = tokens.claims() as OidcClaims
        if (claims.email !== undefined || !config.serverMetadata().userinfo_endpoint) return claims
        return { ...claims, ...((await client.fetchUserInfo(config, tokens.access_token, claims.sub)) as OidcClaims) }
      } catch (error) {
        throw new GatewayError('oauth.token', { provider: provider.label }, { cause: error, detail: String(error) })
      }
    },
  }
}

// Codes of authenticator apps, through a library.

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

// Passkeys (WebAuthn), through a library, which is loaded on first use because it is the largest of all.

const loadWebauthnServer = () => import('@simplewebauthn/server')

const toDescriptors = (known: StoredPasskey[]) =>
  known.map(({ id, transports }) => ({ id, transports: transports.split(',').filter((each) => each !== '') }))

const throwInvalid = (cause: unknown): never => {
  throw new GatewayError('passkey.invalid', {}, { cause, detail: String(cause) })
}

export const webauthnPasskeys: PasskeyService = {
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
