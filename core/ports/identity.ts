// What libraries verify for us: OpenID Connect, passkeys, one-time codes.

/** An OpenID Connect service and who we are to it. */
export interface OidcClient {
  /** What people call the provider. */
  label: string
  /** Address of the discovery document. */
  well_known: string
  client_id: string
  client_secret: string
  redirect_uri: string
  /** Space separated. */
  scopes: string
}

/** What only the browser that began a sign-in, and we, know. */
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

export interface Oidc {
  /** Where the browser goes; with a nonce and a PKCE challenge. @throws GatewayError oauth.unreachable */
  authorizationUrl(client: OidcClient, checks: Required<OidcChecks>): Promise<string>
  /**
   * Exchanges the code; the ID token's signature, issuer, audience, times and nonce are verified.
   * @throws GatewayError oauth.unreachable, oauth.token
   */
  identify(client: OidcClient, code: string, checks: OidcChecks): Promise<OidcClaims>
}

/** Codes of authenticator apps: six digits, thirty seconds. */
export interface OneTimeCodes {
  /** In base32. */
  newSecret(): string
  /** The address that a QR code of the secret holds. */
  address(secret: string, account: string, issuer: string): string
  /** The time step that this is the code of (one step late or early is fine), or null. */
  stepOf(secret: string, code: string, nowMs: number): number | null
}

/** Where passkeys are made and used. */
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
  /** Comma list. */
  transports: string
}

/** Options for, and answers of, the browser's credential functions. */
export type BrowserJson = Record<string, unknown>

export interface Passkeys {
  registration(
    party: RelyingParty,
    user: { id: number; username: string; display_name: string },
    known: StoredPasskey[],
  ): Promise<{ options: BrowserJson; challenge: string }>
  /** @throws GatewayError passkey.invalid */
  registered(party: RelyingParty, answer: BrowserJson, challenge: string): Promise<StoredPasskey>
  authentication(party: RelyingParty, known: StoredPasskey[]): Promise<{ options: BrowserJson; challenge: string }>
  /** The new counter. @throws GatewayError passkey.invalid */
  authenticated(party: RelyingParty, answer: BrowserJson, challenge: string, passkey: StoredPasskey): Promise<number>
}

export interface IdentityServices {
  oidc: Oidc
  codes: OneTimeCodes
  passkeys: Passkeys
}
