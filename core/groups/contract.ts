import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { words } from '../errors.ts'
import { failWithCode } from '../settings/setting.ts'
import { groupFields } from './group-fields.data.ts'

/** Groups with description and price multiplier. */
const described = z.record(z.string(), z.object({ desc: z.string(), ratio: z.number() }))

/** A group with its settings and the number of its users. */
const GroupRow = z.object({
  name: z.string(),
  ratio: z.number(),
  /** Null where only users of the group may choose it for tokens. */
  description: z.string().nullable(),
  /** Ratios by the user's group. */
  special: z.record(z.string(), z.number()),
  users: z.number(),
  tokens: z.number(),
  channels: z.number(),
})
z.globalRegistry.add(GroupRow, { id: 'Group' })
export type GroupRow = z.infer<typeof GroupRow>

/** Names of groups appear in comma-separated lists. */
const groupName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^,\x00-\x1f\x7f-\x9f]*$/, failWithCode('group.name'))
  .refine((name) => name !== '__proto__', failWithCode('group.name'))
const multiplier = z.number().min(0)

const fields = declareShapeFields(groupFields, {
  name: groupName,
  ratio: multiplier.optional(),
  description: z.string().trim().max(200).nullable().optional(),
  special: z.record(groupName, multiplier.nullable()).default({}),
  in_use: z.boolean().default(false),
})

export const groupsContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/group/',
    access: 'admin',
    scope: 'read',
    summary: words('Names of all groups, sorted'),
    reply: z.array(z.string()),
  }),
  table: endpoint({
    method: 'GET',
    path: '/api/group/table',
    access: 'admin',
    scope: 'read',
    summary: words(
      'All groups with their ratios, who may choose them, and how many users, tokens and channels have them',
    ),
    reply: z.array(GroupRow),
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/group/',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words('Make a group, or change one: its ratio, who may choose it, and special ratios'),
    row: GroupRow,
    nulls: ['description'],
    body: z.object({ ...fields }).omit({ in_use: true }),
    reply: GroupRow,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/group/remove',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words('Remove a group from all settings that name it; refused while it is in use, unless in_use is set'),
    body: z.object({ name: fields.name, in_use: fields.in_use }),
    reply: GroupRow,
  }),
  usable: endpoint({
    method: 'GET',
    path: '/api/user/self/groups',
    access: 'user',
    scope: 'read',
    summary: words('The groups the signed-in user may choose for a token, with description and price multiplier'),
    reply: described,
  }),
  common: endpoint({
    method: 'GET',
    path: '/api/user/groups',
    access: 'public',
    summary: words('The groups that every user may choose, with description and price multiplier'),
    reply: described,
  }),
}
