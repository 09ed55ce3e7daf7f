import { z } from 'zod'
import { namedSchemas } from '../contract/named-schemas.ts'

/** What a login answers and a browser keeps about its user. */
export const SignedIn = z.object({
  id: z.number(),
  username: z.string(),
  display_name: z.string(),
  role: z.number(),
  status: z.number(),
  group: z.string(),
})
namedSchemas.add(SignedIn, { id: 'SignedIn' })
export type SignedIn = z.infer<typeof SignedIn>
