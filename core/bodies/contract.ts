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
      'Whether bodies of your calls are kept, for which key, and the kept ones, newest first. Only you can read this',
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
      'Keep the bodies of your calls, encrypted for your own public key, for as long as the operator lets them be kept',
    ),
    body: BodyKeyForm,
    reply: BodyKey,
  }),
  switchOff: endpoint({
    method: 'DELETE',
    path: '/api/user/self/bodies',
    access: 'user',
    scope: 'all',
    summary: words('Keep no bodies any more, and remove those that are kept'),
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
