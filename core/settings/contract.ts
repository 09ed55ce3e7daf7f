import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'

/** A setting as text. A secret one comes with an empty value and `set`, which tells whether it has one. */
export const Option = z.object({ key: z.string(), value: z.string(), set: z.boolean().optional() })

export const settings = {
  list: endpoint({
    method: 'GET',
    path: '/api/option/',
    access: 'admin',
    summary: 'All settings as texts; secrets come empty',
    reply: z.array(Option),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/option/',
    access: 'admin',
    summary: 'Change one setting (key, value), or several at once (options)',
    body: z.object({
      key: z.string().optional(),
      value: z.string().optional(),
      options: z.array(z.object({ key: z.string(), value: z.string() })).optional(),
    }),
    reply: z.null(),
  }),
}
