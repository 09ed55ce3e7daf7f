import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { words } from '../errors.ts'
import { AccessToken, AccessTokenForm } from './access-tokens.ts'

/** The access tokens that programs use for the API. */
export const accessTokens = {
  accessTokens: endpoint({
    method: 'GET',
    path: '/api/user/access_tokens',
    access: 'user',
    scope: 'read',
    summary: words(
      'The access tokens of the signed-in user: what each may, when it was used last and when it ends',
      '当前用户的访问令牌：各自的权限、最近使用与到期时间',
    ),
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
      '生成访问令牌，仅显示一次。范围依次包含：usage、read、relay（渠道与 API 令牌）、all',
    ),
    body: AccessTokenForm,
    reply: AccessToken.extend({ token: z.string() }),
  }),
  deleteAccessToken: endpoint({
    method: 'DELETE',
    path: '/api/user/access_tokens/{id}',
    access: 'user',
    scope: 'all',
    summary: words('Make one access token of the signed-in user stop working', '使当前用户的一个访问令牌失效'),
    params: z.object({ id: z.coerce.number().int() }),
    reply: z.null(),
  }),
  thisAccessToken: endpoint({
    method: 'GET',
    path: '/api/user/access_tokens/this',
    access: 'user',
    scope: 'usage',
    summary: words(
      'The access token that this is asked with: its name, what it may and when it ends',
      '本次请求所用的访问令牌：名称、权限与到期时间',
    ),
    reply: AccessToken,
  }),
  endThisAccessToken: endpoint({
    method: 'DELETE',
    path: '/api/user/access_tokens/this',
    access: 'user',
    scope: 'usage',
    summary: words('Make the access token that this is asked with stop working', '使本次请求所用的访问令牌失效'),
    reply: z.null(),
  }),
  accessToken: endpoint({
    method: 'GET',
    path: '/api/user/token',
    access: 'user',
    scope: 'all',
    changes: true,
    proof: true,
    summary: words(
      'Make the access token "default" for everything; the one before stops working. Shown once',
      '生成拥有全部权限的访问令牌 "default"，原有的失效。仅显示一次',
    ),
    reply: z.string(),
  }),
  revokeAccessToken: endpoint({
    method: 'DELETE',
    path: '/api/user/token',
    access: 'user',
    scope: 'all',
    summary: words('Make the access token "default" stop working', '使访问令牌 "default" 失效'),
    reply: z.null(),
  }),
}
