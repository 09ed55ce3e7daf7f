// OpenID Connect through a library, over the guarded web client. It is loaded with the first sign-in.
import type { Configuration, CustomFetch } from 'openid-client'
import { GatewayError } from '../errors.ts'
import type { Oidc, OidcClaims, OidcClient } from '../ports/identity.ts'
import type { Web } from '../ports/web.ts'

const loadOpenidClient = () => import('openid-client')

export function createOidc(web: Web): Oidc {
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
