import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { words } from '../errors.ts'
import { AccessToken, AccessTokenForm } from './access-tokens.ts'

/** The access tokens that programs use for the API. */
export const accessTokensContract = {
  accessTokens: endpoint({
    method: 'GET',
    path: '/api/user/access_tokens',
    access: 'user',
    scope: 'read',
    summary: words('The access tokens of the signed-in user: what each may, when it was used last and when it ends'),
    reply: z.array(AccessToken),
  }),
  createAccessToken: endpoint({
    method: 'POST',
    path: '/api/user/access_tokens',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words(
      'Make an access token, shown once. Each scope includes the ones before it: usage, read, relay (channels and API tokens), all',
    ),
    body: AccessTokenForm,
    reply: AccessToken.extend({ token: z.string() }),
  }),
  deleteAccessToken: endpoint({
    method: 'DELETE',
    path: '/api/user/access_tokens/{id}',
    access: 'user',
    scope: 'all',
    summary: words('Make one access token of the signed-in user stop working'),
    params: z.object({ id: z.coerce.number().int() }),
    reply: z.null(),
  }),
  thisAccessToken: endpoint({
    method: 'GET',
    path: '/api/user/access_tokens/this',
    access: 'user',
    scope: 'usage',
    summary: words('The access token of this request: its name, scope and expiry'),
    reply: AccessToken,
  }),
  endThisAccessToken: endpoint({
    method: 'DELETE',
    path: '/api/user/access_tokens/this',
    access: 'user',
    scope: 'usage',
    summary: words('Revoke the access token of this request'),
    reply: z.null(),
  }),
  accessToken: endpoint({
    method: 'GET',
    path: '/api/user/token',
    access: 'user',
    scope: 'all',
    changes: true,
    proof: true,
    summary: words('Make the access token "default" for everything; the one before stops working. Shown once'),
    reply: z.string(),
  }),
  revokeAccessToken: endpoint({
    method: 'DELETE',
    path: '/api/user/token',
    access: 'user',
    scope: 'all',
    summary: words('Make the access token "default" stop working'),
    reply: z.null(),
  }),
}
