import { z } from 'zod'
import { Amount, LARGEST_AMOUNT } from '../contract/amount.ts'
import { endpoint } from '../contract/endpoint.ts'
import { described } from '../contract/field.ts'
import { pageQuery, walkedPageOf, walkQuery } from '../contract/page.ts'
import { ReadVersion } from '../contract/version.ts'
import { accessTokens } from './access-token-contract.ts'
import { ACTIONS } from './authority.ts'
import { ShownUser, userList } from './user.ts'
import { transferFields, userFields, userSettingFields } from './user-fields.data.ts'

const success = z.null()
const id = z.coerce.number().int()

/** A place where the user is signed in. Times in epoch seconds. */
const SignedInAt = z.object({
  id: z.number(),
  ip: z.string(),
  user_agent: z.string(),
  created_time: z.number(),
  used_time: z.number(),
  expires_time: z.number(),
  /** The session that asks. */
  current: z.boolean(),
})

/** A new user as an administrator fills one in. */
export const UserForm = z.object(
  described(userFields, {
    username: z.string().default(''),
    password: z.string().default(''),
    display_name: z.string().default(''),
    role: z.number().optional(),
  }),
)

/** What an administrator changes of a user; what is absent stays. */
export const UserEdit = z.object(
  described(userFields, {
    id: z.number().int(),
    username: z.string().optional(),
    display_name: z.string().optional(),
    password: z.string().default(''),
    group: z.string().optional(),
    role: z.number().optional(),
    quota: Amount.min(-LARGEST_AMOUNT).optional(),
    quota_before: z.number().int().optional(),
    reason: z.string().max(200).default(''),
    version: ReadVersion,
  }),
)

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/',
    access: 'admin',
    scope: 'read',
    summary: 'List users, newest first, deregistered ones included',
    query: z.object({ ...pageQuery, ...walkQuery(userList) }),
    reply: walkedPageOf(ShownUser, userList),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/user/search',
    access: 'admin',
    scope: 'read',
    limit: 'search',
    summary: 'Search users by id, username, display name or e-mail, and by group',
    query: z.object({
      ...pageQuery,
      ...walkQuery(userList),
      keyword: z.string().default(''),
      group: z.string().default(''),
    }),
    reply: walkedPageOf(ShownUser, userList),
  }),
  self: endpoint({
    method: 'GET',
    path: '/api/user/self',
    access: 'user',
    scope: 'read',
    summary: 'The signed-in user',
    reply: ShownUser,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/user/{id}',
    access: 'admin',
    scope: 'read',
    summary: 'One user',
    params: z.object({ id }),
    reply: ShownUser,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/user/',
    access: 'admin',
    scope: 'all',
    summary: 'Add an ordinary user',
    body: UserForm,
    reply: ShownUser,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/user/',
    access: 'admin',
    scope: 'all',
    proof: { when: 'a new password or balance' },
    summary: 'Change a user: names, password, group, and the balance by an entry for the difference',
    row: ShownUser,
    body: UserEdit,
    reply: success,
  }),
  manage: endpoint({
    method: 'POST',
    path: '/api/user/manage',
    access: 'admin',
    scope: 'all',
    proof: { when: 'promote, demote and delete' },
    summary: 'Promote, demote, disable, enable or deregister (delete) a user',
    body: z.object(described(userFields, { id: z.number().int(), action: z.enum(ACTIONS) })),
    reply: z.object({ role: z.number(), status: z.number() }),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/user/{id}',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: 'Deregister a user; the account is kept and shown as such',
    params: z.object({ id }),
    reply: success,
  }),
  removeProofs: endpoint({
    method: 'DELETE',
    path: '/api/user/{id}/proofs',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: 'Remove the authenticator app and the passkeys of a user who has lost them; their sessions end',
    params: z.object({ id }),
    reply: success,
  }),
  updateSelf: endpoint({
    method: 'PUT',
    path: '/api/user/self',
    access: 'user',
    scope: 'all',
    summary: 'Change the own names, or the password with the original one',
    row: ShownUser,
    body: z.object(
      described(userFields, {
        username: z.string().optional(),
        display_name: z.string().optional(),
        password: z.string().default(''),
        original_password: z.string().default(''),
        version: ReadVersion,
      }),
    ),
    reply: success,
  }),
  deleteSelf: endpoint({
    method: 'DELETE',
    path: '/api/user/self',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: 'Deregister the own account',
    reply: success,
  }),
  setting: endpoint({
    method: 'PUT',
    path: '/api/user/setting',
    access: 'user',
    scope: 'all',
    summary: 'How the user wants to be warned, and whether models without a price may be called',
    body: z.object(
      described(userSettingFields, {
        notify_type: z.string().default(''),
        quota_warning_threshold: z.coerce.number().catch(0).default(0),
        webhook_url: z.string().max(2000).optional(),
        webhook_secret: z.string().max(500).optional(),
        notification_email: z.string().max(100).optional(),
        accept_unset_model_ratio_model: z.boolean().optional(),
      }),
    ),
    reply: success,
  }),
  aff: endpoint({
    method: 'GET',
    path: '/api/user/aff',
    access: 'user',
    scope: 'read',
    summary: "The signed-in user's invitation code",
    reply: z.string(),
  }),
  affTransfer: endpoint({
    method: 'POST',
    path: '/api/user/aff_transfer',
    access: 'user',
    scope: 'all',
    summary: 'Move invitation earnings into the balance',
    body: z.object(described(transferFields, { quota: Amount })),
    reply: success,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/user/sessions',
    access: 'user',
    scope: 'read',
    summary: 'Where the user is signed in, latest use first',
    reply: z.array(SignedInAt),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/user/sessions/{id}',
    access: 'user',
    scope: 'all',
    summary: 'End one session of the signed-in user',
    params: z.object({ id }),
    reply: success,
  }),
  endSessions: endpoint({
    method: 'DELETE',
    path: '/api/user/sessions',
    access: 'user',
    scope: 'all',
    summary: 'End every session of the signed-in user but the one that asks',
    reply: success,
  }),
  models: endpoint({
    method: 'GET',
    path: '/api/user/models',
    access: 'user',
    scope: 'read',
    summary: 'Names of the models that the user can call',
    reply: z.array(z.string()),
  }),
  ...accessTokens,
}
