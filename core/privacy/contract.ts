import { z } from 'zod'
import { FileDownload } from '../contract/replies.ts'
import { endpoint } from '../contract/endpoint.ts'
import { words } from '../errors.ts'

const ofUser = z.object({ user_id: z.coerce.number().int() })

/** Times in epoch seconds; 0 if not requested, or not done. */
const Forgetting = z.object({ asked_at: z.number(), done_at: z.number(), left: z.number() })

export const privacyContract = {
  exportSelf: endpoint({
    method: 'GET',
    path: '/api/user/self/data',
    access: 'user',
    scope: 'read',
    summary: words(
      'All stored data of the signed-in user, as a JSON file: account, tokens, sessions, ledger, log and the rest',
    ),
    reply: FileDownload,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/user/{user_id}/data',
    access: 'admin',
    scope: 'all',
    summary: words('All stored data of a user, as a JSON file'),
    params: ofUser,
    reply: FileDownload,
  }),
  forget: endpoint({
    method: 'POST',
    path: '/api/user/{user_id}/forget',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words(
      'Erase a user permanently: the account is deleted, names, addresses and secrets immediately, log rows gradually; the ledger keeps its entries by id',
    ),
    params: ofUser,
    reply: Forgetting,
  }),
  forgetting: endpoint({
    method: 'GET',
    path: '/api/user/{user_id}/forget',
    access: 'admin',
    scope: 'read',
    summary: words('How far the forgetting of a user is'),
    params: ofUser,
    reply: Forgetting,
  }),
}
