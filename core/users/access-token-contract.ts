import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { AccessToken, AccessTokenForm } from './access-token.ts'

/** What programs use the API with. */
export const accessTokens = {
  accessTokens: endpoint({
    method: 'GET',
    path: '/api/user/access_tokens',
    access: 'user',
    scope: 'read',
    summary: 'The access tokens of the signed-in user: what each may, when it was used last and when it ends',
    reply: z.array(AccessToken),
  }),
  createAccessToken: endpoint({
    method: 'POST',
    path: '/api/user/access_tokens',
    access: 'user',
    scope: 'all',
    proof: true,
    summary:
      'Make an access token, shown once. Each scope includes the ones before it: read, relay (channels and API tokens), all',
    body: AccessTokenForm,
    reply: AccessToken.extend({ token: z.string() }),
  }),
  deleteAccessToken: endpoint({
    method: 'DELETE',
    path: '/api/user/access_tokens/{id}',
    access: 'user',
    scope: 'all',
    summary: 'Make one access token of the signed-in user stop working',
    params: z.object({ id: z.coerce.number().int() }),
    reply: z.null(),
  }),
  accessToken: endpoint({
    method: 'GET',
    path: '/api/user/token',
    access: 'user',
    scope: 'all',
    changes: true,
    proof: true,
    summary: 'Make the access token "default" for everything; the one before stops working. Shown once',
    reply: z.string(),
  }),
  revokeAccessToken: endpoint({
    method: 'DELETE',
    path: '/api/user/token',
    access: 'user',
    scope: 'all',
    summary: 'Make the access token "default" stop working',
    reply: z.null(),
  }),
}
