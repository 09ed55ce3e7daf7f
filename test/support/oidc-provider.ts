// A real OpenID Connect provider on this machine, whose ID tokens can be tampered with on their way.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, decodeJwt, type CryptoKey, type JWTPayload } from 'jose'
import { Provider } from 'oidc-provider'

export const OIDC_CLIENT = { client_id: 'weir', client_secret: 'the secret of the client' }
const KEY = { kid: 'main', alg: 'RS256', use: 'sig' }

/** Makes another ID token out of the one that the provider gave. */
export type Forgery = (token: string, sign: (claims: JWTPayload) => Promise<string>) => string | Promise<string>

/** What forgers try. Signed by the provider's own key where nothing else is said. */
export const forgeries: Record<string, Forgery> = {
  'a signature of somebody else': async (token) => {
    const { privateKey } = await generateKeyPair('RS256')
    return signed(decodeJwt(token), privateKey)
  },
  'no signature': (token) => new UnsecuredJWT(decodeJwt(token)).encode(),
  'other claims under the old signature': (token) => {
    const [head, , signature] = token.split('.')
    const claims = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'victim' })).toString('base64url')
    return `${head}.${claims}.${signature}`
  },
  'the public key as a shared secret': (token) =>
    new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: 'HS256', kid: KEY.kid })
      .sign(new TextEncoder().encode(OIDC_CLIENT.client_secret)),
  'another nonce': (token, sign) => sign({ ...decodeJwt(token), nonce: 'another' }),
  'no nonce': (token, sign) => sign({ ...decodeJwt(token), nonce: undefined }),
  'another audience': (token, sign) => sign({ ...decodeJwt(token), aud: 'somebody-else' }),
  'another issuer': (token, sign) => sign({ ...decodeJwt(token), iss: 'https://elsewhere.example' }),
  'a time long past': (token, sign) => {
    const now = Math.floor(Date.now() / 1000)
    return sign({ ...decodeJwt(token), iat: now - 7200, exp: now - 3600 })
  },
  'no subject': (token, sign) => sign({ ...decodeJwt(token), sub: undefined }),
  'no token at all': () => '',
}

const signed = (claims: JWTPayload, key: CryptoKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: KEY.kid }).sign(key)

export interface OidcProvider {
  url: string
  wellKnown: string
  /** Who asks there from now on. */
  login(who: string): void
  /** What is done to ID tokens from now on. */
  forge(forgery: Forgery | undefined): void
  /** Redemptions of codes, as they came: with the verifier of PKCE. */
  redeemed: URLSearchParams[]
  close(): Promise<void>
}

/** Starts one that sends browsers back to `redirectUris`. */
export async function startOidcProvider(redirectUris: string[]): Promise<OidcProvider> {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const redeemed: URLSearchParams[] = []
  let who = 'nobody'
  let forgery: Forgery | undefined

  const provider = new Provider(url, {
    clients: [{ ...OIDC_CLIENT, redirect_uris: redirectUris, token_endpoint_auth_method: 'client_secret_post' }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), ...KEY }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    conformIdTokenClaims: false,
    pkce: { required: () => false },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({
        ...{ sub: id, email: `${id}@example.com`, email_verified: !id.startsWith('unverified') },
        ...{ name: `The ${id}`, preferred_username: id },
      }),
    }),
  })
  provider.use(async (context, next) => {
    await next()
    const body = context.body as { id_token?: string } | undefined
    if (context.path !== '/token') return
    redeemed.push(new URLSearchParams(context.oidc?.body as Record<string, string>))
    if (forgery && body?.id_token) {
      body.id_token = await forgery(body.id_token, (claims) => signed(claims, privateKey))
    }
  })
  const callback = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
    void (async () => {
      const { params } = await provider.interactionDetails(request, response)
      const grant = new provider.Grant({ accountId: who, clientId: String(params.client_id) })
      grant.addOIDCScope(String(params.scope))
      const result = { login: { accountId: who }, consent: { grantId: await grant.save() } }
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    })()
  })
  return {
    url,
    wellKnown: `${url}/.well-known/openid-configuration`,
    login: (next) => void (who = next),
    forge: (next) => void (forgery = next),
    redeemed,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A browser at the provider: follows it until it sends the browser back to `home`. */
export async function approve(start: string, home: string): Promise<{ code: string; state: string }> {
  const jar = new Map<string, string>()
  for (let url = start; ;) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const location = reply.headers.get('location')
    if (!location) throw new Error(`the provider answered ${reply.status}: ${await reply.text()}`)
    const next = new URL(location, url)
    if (next.origin === home) {
      return { code: next.searchParams.get('code') ?? '', state: next.searchParams.get('state') ?? '' }
    }
    url = next.href
  }
}
