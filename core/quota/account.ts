// The payer: the account of a user, which has the user's id, or the account of a team. Both draw their ids from one
// sequence.
import { z } from 'zod'

export const AccountKind = z.enum(['user', 'team'])
export type AccountKind = z.infer<typeof AccountKind>
