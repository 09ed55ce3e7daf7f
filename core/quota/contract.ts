import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'

export const quota = {
  verify: endpoint({
    method: 'GET',
    path: '/api/quota/verify',
    access: 'root',
    summary: "Check that every user's quota equals the sum of the ledger's entries, and count open holds",
    reply: z.object({
      ok: z.boolean(),
      open_holds: z.number(),
      faults: z.array(z.object({ user_id: z.number(), quota: z.number(), entries: z.number() })),
    }),
  }),
}
