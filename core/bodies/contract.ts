import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { words } from '../errors.ts'
import { BodyKey, BodyKeyForm, StoredCallBody } from './stored-body.ts'

const request = z.object({ request_id: z.string().max(100) })

export const bodiesContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/self/bodies',
    access: 'user',
    scope: 'read',
    summary: words(
      'Whether bodies of your calls are stored, with which key, and the stored ones, newest first. Only you can read this',
    ),
    reply: z.object({
      /** null if nothing is stored. */
      key: BodyKey.nullable(),
      items: z.array(StoredCallBody),
      /** Retention in hours; 0 to store nothing. */
      hours: z.number(),
      /**
       * Bodies of all users that were dropped since this process started, because the database was too slow or the
       * space was used up.
       */
      dropped: z.number(),
    }),
  }),
  setKey: endpoint({
    method: 'PUT',
    path: '/api/user/self/bodies',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words(
      'Store the bodies of your calls, encrypted with your public key, for as long as the operator allows',
    ),
    body: BodyKeyForm,
    reply: BodyKey,
  }),
  switchOff: endpoint({
    method: 'DELETE',
    path: '/api/user/self/bodies',
    access: 'user',
    scope: 'all',
    summary: words('Stop storing bodies, and remove the stored ones'),
    reply: z.null(),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/user/self/bodies/{request_id}',
    access: 'user',
    scope: 'read',
    summary: words('The ciphertext of the bodies of one of your calls: it opens with your secret key alone (age)'),
    params: request,
    reply: StoredCallBody.extend({ sealed: z.string() }),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/user/self/bodies/{request_id}',
    access: 'user',
    scope: 'all',
    summary: words('Remove the bodies of one of your calls'),
    params: request,
    reply: z.null(),
  }),
}
