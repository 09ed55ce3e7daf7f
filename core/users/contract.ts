import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { pageOf, pageQuery } from '../contract/page.ts'
import { User } from './user.ts'

const success = z.null()

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/',
    access: 'admin',
    summary: 'List users, newest first, deregistered ones included',
    query: z.object(pageQuery),
    reply: pageOf(User),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/user/search',
    access: 'admin',
    summary: 'Search users by id, username, display name or e-mail, and by group',
    query: z.object({ ...pageQuery, keyword: z.string().default(''), group: z.string().default('') }),
    reply: pageOf(User),
  }),
  self: endpoint({
    method: 'GET',
    path: '/api/user/self',
    access: 'user',
    summary: 'The signed-in user',
    reply: User,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/user/{id}',
    access: 'admin',
    summary: 'One user',
    params: z.object({ id: z.coerce.number().int() }),
    reply: User,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/user/',
    access: 'admin',
    summary: 'Add an ordinary user',
    body: z.object({ username: z.string(), password: z.string(), display_name: z.string().default('') }),
    reply: success,
  }),
  models: endpoint({
    method: 'GET',
    path: '/api/user/models',
    access: 'user',
    summary: 'Names of the models that the user can call',
    reply: z.array(z.string()),
  }),
  accessToken: endpoint({
    method: 'GET',
    path: '/api/user/token',
    access: 'user',
    summary: 'Make a new management access token for the signed-in user; the old one stops working. Shown once',
    reply: z.string(),
  }),
}
