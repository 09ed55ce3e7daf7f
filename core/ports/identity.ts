// Verification by libraries: OpenID Connect, passkeys, one-time codes.

/** An OpenID Connect service and the client registered there. */
export interface OidcClient {
  /** The displayed name of the provider. */
  label: string
  /** Address of the discovery document. */
  well_known: string
  client_id: string
  client_secret: string
  redirect_uri: string
  /** Space separated. */
  scopes: string
}

/** Values known only to this server and the browser that started the sign-in. */
export interface OidcChecks {
  state: string
  nonce?: string
  verifier?: string
}

export interface OidcClaims {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  preferred_username?: string
}

export interface OidcSignIn {
  /**
   * Returns the address to send the browser to, with a nonce and a PKCE challenge. @throws GatewayError
   * oauth.unreachable
   */
  authorizationUrl(client: OidcClient, checks: Required<OidcChecks>): Promise<string>
  /**
   * Exchanges the code, and verifies the ID token's signature, issuer, audience, times and nonce.
   * @throws GatewayError oauth.unreachable, oauth.token
   */
  identify(client: OidcClient, code: string, checks: OidcChecks): Promise<OidcClaims>
}

/** Codes of authenticator apps: six digits, thirty seconds. */
export interface OneTimeCodes {
  /** In base32. */
  newSecret(): string
  /** Returns the URI to show as a QR code. */
  address(secret: string, account: string, issuer: string): string
  /** Returns the time step of this code (one step late or early is accepted), or null. */
  stepOf(secret: string, code: string, nowMs: number): number | null
}

/** The site that passkeys are created for and used on. */
export interface RelyingParty {
  /** Host name. */
  id: string
  name: string
  origin: string
}

export interface StoredPasskey {
  id: string
  /** In base64url. */
  public_key: string
  counter: number
  /** Comma separated. */
  transports: string
}

/** Options for the browser's credential functions, or their results. */
export type BrowserJson = Record<string, unknown>

export interface PasskeyService {
  buildRegistrationOptions(
    party: RelyingParty,
    user: { id: number; username: string; display_name: string },
    known: StoredPasskey[],
  ): Promise<{ options: BrowserJson; challenge: string }>
  /** @throws GatewayError passkey.invalid */
  verifyRegistration(party: RelyingParty, answer: BrowserJson, challenge: string): Promise<StoredPasskey>
  buildAuthenticationOptions(
    party: RelyingParty,
    known: StoredPasskey[],
  ): Promise<{ options: BrowserJson; challenge: string }>
  /** Returns the new counter. @throws GatewayError passkey.invalid */
  verifyAuthentication(
    party: RelyingParty,
    answer: BrowserJson,
    challenge: string,
    passkey: StoredPasskey,
  ): Promise<number>
}

export interface IdentityServices {
  oidc: OidcSignIn
  codes: OneTimeCodes
  passkeys: PasskeyService
}
