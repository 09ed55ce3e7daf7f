// Who pays: an account of a user, which has the user's id, or of a team. Ids of both come from one row of numbers.
import { z } from 'zod'

export const AccountKind = z.enum(['user', 'team'])
export type AccountKind = z.infer<typeof AccountKind>
