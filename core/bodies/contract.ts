import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { words } from '../errors.ts'
import { BodyKey, BodyKeyForm, KeptBody } from './kept-body.ts'

const request = z.object({ request_id: z.string().max(100) })

export const bodies = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/self/bodies',
    access: 'user',
    scope: 'read',
    summary: words(
      'Whether bodies of your calls are kept, for which key, and the kept ones, newest first. Only you can read this',
      '您的调用内容是否保存、使用哪个公钥，以及已保存的内容，最新的在前。仅本人可查询',
    ),
    reply: z.object({
      /** null if nothing is stored. */
      key: BodyKey.nullable(),
      items: z.array(KeptBody),
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
      '保存您的调用内容，以您自己的公钥加密，保存时间由运营者限定',
    ),
    body: BodyKeyForm,
    reply: BodyKey,
  }),
  switchOff: endpoint({
    method: 'DELETE',
    path: '/api/user/self/bodies',
    access: 'user',
    scope: 'all',
    summary: words('Keep no bodies any more, and remove those that are kept', '不再保存调用内容，并删除已保存的'),
    reply: z.null(),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/user/self/bodies/{request_id}',
    access: 'user',
    scope: 'read',
    summary: words(
      'The ciphertext of the bodies of one of your calls: it opens with your secret key alone (age)',
      '您的一次调用内容的密文：仅能用您的私钥打开（age）',
    ),
    params: request,
    reply: KeptBody.extend({ sealed: z.string() }),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/user/self/bodies/{request_id}',
    access: 'user',
    scope: 'all',
    summary: words('Remove the bodies of one of your calls', '删除您的一次调用内容'),
    params: request,
    reply: z.null(),
  }),
}
