import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'

/** What a login answers and a browser keeps about its user. */
export const SignedIn = z.object({
  id: z.number(),
  username: z.string(),
  display_name: z.string(),
  role: z.number(),
  status: z.number(),
  group: z.string(),
})
export type SignedIn = z.infer<typeof SignedIn>

export const auth = {
  login: endpoint({
    method: 'POST',
    path: '/api/user/login',
    access: 'public',
    summary: 'Sign in with username or e-mail and password',
    query: z.object({ turnstile: z.string().optional() }),
    body: z.object({ username: z.string().default(''), password: z.string().default('') }),
    reply: SignedIn,
  }),
  logout: endpoint({
    method: 'GET',
    path: '/api/user/logout',
    access: 'public',
    summary: 'End the session',
    reply: z.null(),
  }),
}
