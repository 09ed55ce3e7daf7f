import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'

export const groups = {
  list: endpoint({
    method: 'GET',
    path: '/api/group/',
    access: 'admin',
    summary: 'Names of all groups, sorted',
    reply: z.array(z.string()),
  }),
  usable: endpoint({
    method: 'GET',
    path: '/api/user/self/groups',
    access: 'user',
    summary: 'The groups the signed-in user may choose for a token, with description and price multiplier',
    reply: z.record(z.string(), z.object({ desc: z.string(), ratio: z.number() })),
  }),
}
