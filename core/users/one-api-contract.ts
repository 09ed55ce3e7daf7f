// The user endpoints under one-api's paths, for its scripts.
import { z } from 'zod'
import { Amount } from '../contract/amount.ts'
import { endpoint } from '../contract/endpoint.ts'
import { declareFields } from '../contract/field.ts'
import { words } from '../errors.ts'
import { userFields } from './user-fields.data.ts'

export const oneApiUsers = {
  availableModels: endpoint({
    method: 'GET',
    path: '/api/user/available_models',
    access: 'user',
    scope: 'read',
    summary: words(
      'The same as users.models, where scripts for one-api ask',
      '与 users.models 相同，供 one-api 的脚本使用',
    ),
    reply: z.array(z.string()),
  }),
  topUp: endpoint({
    method: 'POST',
    path: '/api/topup/',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words(
      "Add to a user's balance, as scripts for one-api do: an adjustment, with the remark as its reason",
      '为用户增加余额，供 one-api 的脚本使用：记为调整，备注为原因',
    ),
    body: z.object(
      declareFields(
        { ...userFields, remark: userFields.reason },
        {
          user_id: z.number().int(),
          quota: Amount.min(1),
          remark: z.string().max(500).default(''),
        },
      ),
    ),
    reply: z.null(),
  }),
}
