import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'

/** A setting as text. A secret one comes with an empty value and `set`, which tells whether it has one. */
export const Option = z.object({ key: z.string(), value: z.string(), set: z.boolean().optional() })

/** A new text; null makes the setting its default again. */
const NewValue = z.string().nullable()

export const settings = {
  list: endpoint({
    method: 'GET',
    path: '/api/option/',
    access: 'admin',
    scope: 'read',
    summary: 'All settings as texts; secrets come empty',
    reply: z.array(Option),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/option/',
    access: 'admin',
    scope: 'all',
    proof: { when: 'a setting whose declaration asks for it' },
    summary: 'Change one setting (key, value), or several at once (options): all of them or none',
    body: z.object({
      key: z.string().optional(),
      value: NewValue.optional(),
      options: z.array(z.object({ key: z.string(), value: NewValue })).optional(),
    }),
    reply: z.null(),
  }),
  resetPrices: endpoint({
    method: 'POST',
    path: '/api/option/rest_model_ratio',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: 'Set the model ratios back to the built-in ones',
    reply: z.null(),
    beside: z.object({ message: z.string() }),
  }),
}
