// OpenID Connect: the service of the specification, and those the operator adds.
import { fail } from '../../errors.ts'
import type { OidcClaims, OidcClient } from '../../ports/identity.ts'
import { parseJsonBody } from '../../ports/web.ts'
import { getServerAddress } from '../server-address.ts'
import type { CodeMethod, MethodPorts, ExternalIdentity } from './login-method.ts'
import { requestFromService, getAnswerField, parseAccessToken } from './login-method.ts'

const label = 'OIDC'

/** A service that the operator added to the one of the settings. */
export interface LoginService {
  /** The id in `/api/oauth/{type}` and `/oauth/{type}`. */
  id: string
  name: string
  well_known: string
  client_id: string
  client_secret: string
  scopes: string
  enabled: boolean
  /** How often it was edited, from 1. */
  version: number
}

const person = ({ sub, email, email_verified, name, preferred_username }: OidcClaims): ExternalIdentity => ({
  subject: sub,
  username: preferred_username ?? '',
  display_name: name || preferred_username || 'OIDC User',
  ...(email && email_verified === true ? { email } : {}),
})

type PlacePorts = Pick<MethodPorts, 'machine' | 'settings'>

const redirectUri = ({ machine, settings }: PlacePorts, id: string) =>
  `${getServerAddress(settings, machine)}/oauth/${id}`

/** The service of the settings. */
export const oidcSignIn: CodeMethod = {
  label,
  enabled: (settings) => settings['oidc.enabled'],
  async authorizationUrl({ identity, machine, settings }, pending) {
    const client = getClient({ machine, settings })
    if (client.well_known !== '') return identity.oidc.authorizationUrl(client, pending)
    const query = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: client.redirect_uri,
      response_type: 'code',
      scope: client.scopes,
      state: pending.state,
    })
    return `${settings['oidc.authorization_endpoint']}?${query}`
  },
  async identify(ports, code, pending) {
    const client = getClient(ports)
    return client.well_known === ''
      ? byEndpoints(ports, code, client)
      : person(await ports.identity.oidc.identify(client, code, pending))
  },
}

const getClient = ({ machine, settings }: PlacePorts): OidcClient => ({
  label,
  well_known: settings['oidc.well_known'],
  client_id: settings['oidc.client_id'],
  client_secret: settings['oidc.client_secret'],
  redirect_uri: redirectUri({ machine, settings }, 'oidc'),
  scopes: 'openid profile email',
})

/**
 * Without a discovery document there are no keys to verify an ID token, so the identity is read from the service's
 * endpoints.
 */
async function byEndpoints(
  { web, settings }: MethodPorts,
  code: string,
  client: OidcClient,
): Promise<ExternalIdentity> {
  const { client_id, client_secret, redirect_uri } = client
  const form = { client_id, client_secret, code, grant_type: 'authorization_code', redirect_uri }
  const tokens = await requestFromService(web, label, {
    method: 'POST',
    url: settings['oidc.token_endpoint'],
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  const reply = await requestFromService(web, label, {
    method: 'GET',
    url: settings['oidc.user_info_endpoint'],
    headers: { accept: 'application/json', authorization: `Bearer ${parseAccessToken(parseJsonBody(tokens), label)}` },
  })
  const user = parseJsonBody(reply) as OidcClaims | undefined
  if (reply.status !== 200 || !user || getAnswerField(user, 'sub') === '') fail('oauth.userinfo', { provider: label })
  return person({ ...user, sub: getAnswerField(user, 'sub') })
}

/** A service of the operator's own. */
export function toLoginMethod(service: LoginService): CodeMethod {
  const client = (ports: PlacePorts): OidcClient => ({
    ...service,
    label: service.name,
    redirect_uri: redirectUri(ports, service.id),
  })
  return {
    label: service.name,
    enabled: () => service.enabled,
    authorizationUrl: (ports, pending) => ports.identity.oidc.authorizationUrl(client(ports), pending),
    identify: async (ports, code, pending) => person(await ports.identity.oidc.identify(client(ports), code, pending)),
  }
}
