import { z } from 'zod'

/** The reply of a login, which the browser stores about its user. */
export const SignedIn = z.object({
  id: z.number(),
  username: z.string(),
  display_name: z.string(),
  role: z.number(),
  status: z.number(),
  group: z.string(),
})
z.globalRegistry.add(SignedIn, { id: 'SignedIn' })
export type SignedIn = z.infer<typeof SignedIn>
