import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { QuotaAmount, MAX_AMOUNT } from '../contract/filter.ts'
import { cursorPageSchema, pageQueryFields, cursorQueryFields } from '../contract/page.ts'
import { RemarkText } from '../contract/remark.ts'
import { ReadVersion } from '../contract/version.ts'
import { words } from '../errors.ts'
import { accessTokensContract } from './access-token-contract.ts'
import { USER_ACTIONS } from './authority.ts'
import { newUserFields, transferFields, userFields, userSettingFields } from './user-fields.data.ts'
import { getUserSettingSchema, ShownUser, USER_ROLE_NAMES, USER_STATES, userListOrder, UserRow } from './user.ts'

// The user endpoints under one-api's paths, for its scripts.

export const oneApiUsers = {
  availableModels: endpoint({
    method: 'GET',
    path: '/api/user/available_models',
    access: 'user',
    scope: 'read',
    summary: words('The same as users.models, where scripts for one-api ask'),
    reply: z.array(z.string()),
  }),
  topUp: endpoint({
    method: 'POST',
    path: '/api/topup/',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words("Add to a user's balance, as scripts for one-api do: an adjustment, with the remark as its reason"),
    body: z.object(
      declareShapeFields(
        { ...userFields, remark: userFields.reason },
        {
          user_id: z.number().int(),
          quota: QuotaAmount.min(1),
          remark: z.string().max(500).default(''),
        },
      ),
    ),
    reply: z.null(),
  }),
}

/** Most users that one request deregisters. */
const MAX_DEREGISTERED = 1000

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
  /** True for the session of this request. */
  current: z.boolean(),
})

/** A new user as an administrator fills one in. With an e-mail address and no password, it is an invitation. */
export const UserForm = z.object(
  declareShapeFields(
    { ...userFields, quota: newUserFields.quota },
    {
      username: z.string().default(''),
      password: z.string().default(''),
      display_name: z.string().default(''),
      email: z.string().default(''),
      group: z.string().default(''),
      quota: QuotaAmount.optional(),
      remark: RemarkText.default(''),
      role: z.number().optional(),
    },
  ),
)

/** The invitation that was made with an account: its link, and why no mail with it was sent; empty if one was. */
const UserInvitation = z.object({ link: z.string(), mailed: z.boolean(), failure: z.string() })

/** An administrator's changes to a user; absent fields stay as they are. */
export const UserEdit = z.object(
  declareShapeFields(userFields, {
    id: z.number().int(),
    username: z.string().optional(),
    display_name: z.string().optional(),
    password: z.string().default(''),
    group: z.string().optional(),
    role: z.number().optional(),
    quota: QuotaAmount.min(-MAX_AMOUNT).optional(),
    quota_before: z.number().int().optional(),
    reason: z.string().max(200).default(''),
    remark: RemarkText.optional(),
    version: ReadVersion,
  }),
)

/** A user's notification settings. */
export const SettingForm = z.object(
  declareShapeFields(userSettingFields, {
    notify_type: z.string().default(''),
    quota_warning_threshold: z.coerce.number().catch(0).default(0),
    webhook_url: z.string().max(2000).optional(),
    webhook_secret: z.string().max(500).optional(),
    notification_email: z.string().max(100).optional(),
    accept_unset_model_ratio_model: z.boolean().optional(),
  }),
)

/** A user's changes to their account. */
export const OwnForm = z.object(
  declareShapeFields(userFields, {
    username: z.string().optional(),
    display_name: z.string().optional(),
    password: z.string().default(''),
    original_password: z.string().default(''),
    version: ReadVersion,
  }),
)

/** How much of the invitation earnings to move, in quota units. */
export const TransferForm = z.object(declareShapeFields(transferFields, { quota: QuotaAmount }))

export const usersContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/',
    access: 'admin',
    scope: 'read',
    summary: words('List users, newest first, deregistered ones included'),
    query: z.object({ ...pageQueryFields, ...cursorQueryFields(userListOrder) }),
    reply: cursorPageSchema(ShownUser, userListOrder),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/user/search',
    access: 'admin',
    scope: 'read',
    limit: 'search',
    summary: words('Search users by id, username, display name, e-mail or remark, and by group, role and state'),
    query: z.object({
      ...pageQueryFields,
      ...cursorQueryFields(userListOrder),
      keyword: z.string().default(''),
      group: z.string().default(''),
      role: z.enum(['', ...USER_ROLE_NAMES]).default(''),
      status: z.enum(['', ...USER_STATES]).default(''),
    }),
    reply: cursorPageSchema(ShownUser, userListOrder),
  }),
  self: endpoint({
    method: 'GET',
    path: '/api/user/self',
    access: 'user',
    scope: 'read',
    summary: words('The signed-in user'),
    reply: ShownUser,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/user/{id}',
    access: 'admin',
    scope: 'read',
    summary: words('One user'),
    params: z.object({ id }),
    reply: ShownUser,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/user/',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words(
      'Add an ordinary user, with group and first balance; an e-mail address without a password invites its owner',
    ),
    row: ShownUser,
    body: UserForm,
    reply: ShownUser.extend({ invitation: UserInvitation.optional() }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/user/',
    access: 'admin',
    scope: 'all',
    proof: { when: words('a new password or balance') },
    summary: words('Change a user: names, password, group, remark, and the balance by an entry for the difference'),
    row: ShownUser,
    body: UserEdit,
    reply: success,
  }),
  manage: endpoint({
    method: 'POST',
    path: '/api/user/manage',
    access: 'admin',
    scope: 'all',
    proof: { when: words('promote, demote and delete') },
    summary: words('Promote, demote, disable, enable or deregister (delete) a user'),
    row: UserRow,
    body: z.object(declareShapeFields(userFields, { id: z.number().int(), action: z.enum(USER_ACTIONS) })),
    reply: z.object({ role: z.number(), status: z.number() }),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/user/{id}',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words('Delete a user; the account stays, and is shown as deleted'),
    params: z.object({ id }),
    reply: success,
  }),
  deleteMany: endpoint({
    method: 'POST',
    path: '/api/user/batch',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words('Deregister several users, all of them or none; gives how many'),
    body: z.object(
      declareShapeFields(userFields, {
        ids: z.array(z.number().int()).min(1).max(MAX_DEREGISTERED),
      }),
    ),
    reply: z.number(),
  }),
  removeProofs: endpoint({
    method: 'DELETE',
    path: '/api/user/{id}/proofs',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words('Remove the authenticator app and the passkeys of a user who has lost them; their sessions end'),
    params: z.object({ id }),
    reply: success,
  }),
  updateSelf: endpoint({
    method: 'PUT',
    path: '/api/user/self',
    access: 'user',
    scope: 'all',
    summary: words('Change the own names, or the password with the original one'),
    row: ShownUser,
    body: OwnForm,
    reply: success,
  }),
  deleteSelf: endpoint({
    method: 'DELETE',
    path: '/api/user/self',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Deregister the own account'),
    reply: success,
  }),
  setting: endpoint({
    method: 'PUT',
    path: '/api/user/setting',
    access: 'user',
    scope: 'all',
    summary: words("The user's notification settings, and whether models without a price may be called"),
    row: getUserSettingSchema(),
    body: SettingForm,
    reply: success,
  }),
  testNotice: endpoint({
    method: 'POST',
    path: '/api/user/setting/test',
    access: 'user',
    scope: 'all',
    limit: 'verification',
    summary: words(
      'Send a test to where the signed-in user is warned, as it is saved: a mail, or a signed call of the webhook',
    ),
    reply: success,
  }),
  aff: endpoint({
    method: 'GET',
    path: '/api/user/aff',
    access: 'user',
    scope: 'read',
    summary: words("The signed-in user's invitation code"),
    reply: z.string(),
  }),
  affTransfer: endpoint({
    method: 'POST',
    path: '/api/user/aff_transfer',
    access: 'user',
    scope: 'all',
    summary: words('Move invitation earnings into the balance'),
    row: UserRow,
    body: TransferForm,
    reply: success,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/user/sessions',
    access: 'user',
    scope: 'read',
    summary: words('Sessions of the user, latest use first'),
    reply: z.array(SignedInAt),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/user/sessions/{id}',
    access: 'user',
    scope: 'all',
    summary: words('End one session of the signed-in user'),
    params: z.object({ id }),
    reply: success,
  }),
  endSessions: endpoint({
    method: 'DELETE',
    path: '/api/user/sessions',
    access: 'user',
    scope: 'all',
    summary: words('End every session of the signed-in user except the current one'),
    reply: success,
  }),
  sessionsOf: endpoint({
    method: 'GET',
    path: '/api/user/{user_id}/sessions',
    access: 'admin',
    scope: 'read',
    summary: words('Sessions of a user, latest use first'),
    params: z.object({ user_id: id }),
    reply: z.array(SignedInAt),
  }),
  endSessionsOf: endpoint({
    method: 'DELETE',
    path: '/api/user/{user_id}/sessions',
    access: 'admin',
    scope: 'all',
    summary: words('End every session of a user'),
    params: z.object({ user_id: id }),
    reply: success,
  }),
  models: endpoint({
    method: 'GET',
    path: '/api/user/models',
    access: 'user',
    scope: 'read',
    summary: words('Names of the models that the user can call'),
    reply: z.array(z.string()),
  }),
  ...oneApiUsers,
  ...accessTokensContract,
}
