import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'

/** Groups with description and price multiplier. */
const described = z.record(z.string(), z.object({ desc: z.string(), ratio: z.number() }))

export const groups = {
  list: endpoint({
    method: 'GET',
    path: '/api/group/',
    access: 'admin',
    scope: 'read',
    summary: 'Names of all groups, sorted',
    reply: z.array(z.string()),
  }),
  usable: endpoint({
    method: 'GET',
    path: '/api/user/self/groups',
    access: 'user',
    scope: 'read',
    summary: 'The groups the signed-in user may choose for a token, with description and price multiplier',
    reply: described,
  }),
  common: endpoint({
    method: 'GET',
    path: '/api/user/groups',
    access: 'public',
    summary: 'The groups that every user may choose, with description and price multiplier',
    reply: described,
  }),
}
