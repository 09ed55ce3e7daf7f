// Users, their access tokens, and who they are at other services.
import type { Feature } from '../feature.ts'
import { usersContract } from './contract.ts'
import { type Caller, type ContractHandlers, type SessionControl, requireUser } from '../auth/caller.ts'
import type { RegistrationPorts } from '../auth/registration.ts'
import type { SignInAttempt } from '../auth/sign-in.ts'
import type { Session } from '../auth/stores.ts'
import type { ChannelIndex } from '../channels/channel-index.ts'
import { asWalkedPage, sliceFromOne, resolveCursor, type RowPage } from '../contract/page.ts'
import { fail } from '../errors.ts'
import { listUsableGroups } from '../groups/group.ts'
import { seconds } from '../ports/clock.ts'
import {
  updateOwnAccount,
  changeUserSetting,
  deregisterUser,
  createInvitationCode,
  transferEarnings,
} from './account.ts'
import {
  deregisterManyUsers,
  editUserAccount,
  endSessions,
  manageUserAccount,
  auditUserChange,
  removeSecondFactors,
} from './administration.ts'
import { isCallerAbove } from './authority.ts'
import { createUserWithPassword, inviteUser, type InvitationPorts } from '../notify/invite-user.ts'
import { sendTestNotice } from '../notify/notice.ts'
import type { NewAccount } from './create-user.ts'
import type { DeliverMessage } from '../notify/deliver.ts'
import type { CountMail } from '../limits/mails.ts'
import { USER_ROLE, toShownUser, toAdministratorsUser, userListOrder, type User } from './user.ts'
import type { Storage } from '../ports/storage.ts'
import { type AccessTokenPorts, DEFAULT_TOKEN_NAME, makeAccessToken } from './access-tokens.ts'
import { NEVER_EXPIRES } from '../tokens/token.ts'
import type { accessTokensContract } from './access-token-contract.ts'

const madeText = ({ username, display_name, group }: User) => JSON.stringify({ username, display_name, group })
const shownSessions = (list: Session[], { current }: SessionControl) =>
  list.map((each) => ({ ...each, current: each.id === current?.id }))
const shownPage = ({ items, ...page }: RowPage<User>) => ({ ...page, items: items.map(toAdministratorsUser) })

interface UserPorts extends InvitationPorts, RegistrationPorts {
  attempt: SignInAttempt
  index: ChannelIndex
  deliver: DeliverMessage
  countMail: CountMail
}

function createUserHandlers(ports: UserPorts): ContractHandlers<typeof usersContract> {
  const { storage, index, settings, clock } = ports

  /** An account whose administrator, or user, the caller is. */
  async function seen(id: number, caller: Caller): Promise<User> {
    const user = await storage.users.find(id)
    if (!user || user.DeletedAt !== null) fail('user.missing')
    if (!isCallerAbove(caller, user.role) && user.id !== caller.user?.id) fail('user.view_denied')
    return user
  }

  const ownModels = (caller: Caller) =>
    index.models(Object.keys(listUsableGroups(caller.user?.group ?? '', settings())))

  return {
    async list(query) {
      const way = resolveCursor(userListOrder, query, sliceFromOne(query))
      return asWalkedPage(query, way, shownPage(await storage.users.list(way.slice)))
    },
    async search({ keyword, group, role, status, ...query }) {
      const filter = { keyword, group, role, status }
      const way = resolveCursor(userListOrder, query, sliceFromOne(query), filter)
      return asWalkedPage(query, way, shownPage(await storage.users.search(filter, way.slice)))
    },
    // Read again: the session has the user from the start of the request, and this reply needs the current balance.
    async self(_, { caller }) {
      const user = (await storage.users.find(caller.user?.id ?? 0)) ?? fail('access.login_required')
      return { ...toShownUser(user), aff_code: await createInvitationCode(ports, user.id) }
    },
    get: async ({ id }, { caller }) => toAdministratorsUser(await seen(id, caller)),
    async create({ role = USER_ROLE.user, group, quota, ...form }, context) {
      const { caller } = context
      if (!isCallerAbove(caller, role)) fail('user.create_denied')
      const requestedGroup = group.trim()
      if (requestedGroup !== '' && !Object.hasOwn(settings().GroupRatio, requestedGroup))
        fail('group.unknown', { group: requestedGroup })
      const account: NewAccount = {
        ...form,
        role: USER_ROLE.user,
        group: requestedGroup || 'default',
        quota: quota ?? settings().QuotaForNewUser,
        kind: 'gift',
        ...(quota === undefined || !caller.user ? {} : { by_user_id: caller.user.id }),
        language: caller.language,
        record: (within, user) => auditUserChange(ports, within, caller, 'user.create', user, '', madeText(user)),
      }
      const isInvitation = form.email.trim() !== '' && form.password === ''
      const made = isInvitation
        ? await inviteUser(ports, account, context)
        : { user: await createUserWithPassword(ports, account) }
      const user = toAdministratorsUser((await storage.users.find(made.user.id)) ?? fail('user.missing'))
      return 'invitation' in made ? { ...user, invitation: made.invitation } : user
    },
    async update(edit, context) {
      await editUserAccount(ports, edit, context)
      return null
    },
    manage: ({ id, action }, context) => manageUserAccount(ports, id, action, context),
    async delete({ id }, context) {
      await manageUserAccount(ports, id, 'delete', context)
      return null
    },
    deleteMany: ({ ids }, { caller }) => deregisterManyUsers(ports, ids, caller),
    async removeProofs({ id }, { caller }) {
      await removeSecondFactors(ports, id, caller)
      return null
    },
    async updateSelf(changes, context) {
      await updateOwnAccount(ports, requireUser(context.caller), changes, context)
      return null
    },
    async deleteSelf(_, { caller, session }) {
      const user = requireUser(caller)
      await storage.transaction((within) => deregisterUser(within, user, seconds(clock)))
      await storage.announce({ topic: 'users', id: user.id })
      await session.end()
      return null
    },
    async setting(given, { caller }) {
      await changeUserSetting(ports, { user: requireUser(caller), language: caller.language }, given)
      return null
    },
    async testNotice(_, context) {
      const { id } = requireUser(context.caller)
      await sendTestNotice(ports, (await storage.users.find(id)) ?? fail('access.login_required'), context)
      return null
    },
    aff: (_, { caller }) => createInvitationCode(ports, requireUser(caller).id),
    async affTransfer({ quota }, { caller }) {
      await transferEarnings(ports, requireUser(caller), quota, caller.language)
      return null
    },
    async sessions(_, { caller, session }) {
      return shownSessions(await storage.sessions.listOfUser(requireUser(caller).id, seconds(clock)), session)
    },
    async endSession({ id }, { caller }) {
      const user = requireUser(caller)
      if (!(await storage.sessions.deleteOne(user.id, id))) fail('session.missing')
      await storage.announce({ topic: 'users', id: user.id })
      return null
    },
    async endSessions(_, { caller, session }) {
      const user = requireUser(caller)
      await storage.sessions.deleteOfUser(user.id, session.current?.id)
      await storage.announce({ topic: 'users', id: user.id })
      return null
    },
    async sessionsOf({ user_id }, { caller, session }) {
      const { id } = await seen(user_id, caller)
      return shownSessions(await storage.sessions.listOfUser(id, seconds(clock)), session)
    },
    async endSessionsOf({ user_id }, { caller }) {
      await endSessions(ports, user_id, caller)
      return null
    },
    availableModels: async (_, { caller }) => ownModels(caller),
    async topUp({ user_id, quota, remark }, context) {
      const before = (await storage.users.find(user_id))?.quota ?? fail('user.missing')
      const balance = { quota: before + quota, quota_before: before }
      await editUserAccount(ports, { id: user_id, password: '', ...balance, reason: remark }, context)
      return null
    },
    models: async (_, { caller }) => ownModels(caller),
    ...createAccessTokenHandlers(ports),
  }
}

const requireUserAccess = ({ user, access }: Caller) => ({ user: requireUser({ user }), access })

function createAccessTokenHandlers(
  ports: AccessTokenPorts & { storage: Storage },
): ContractHandlers<typeof accessTokensContract> {
  const { accessTokens: store } = ports.storage
  /** Deletes a token and closes the connections that use it. */
  async function remove(userId: number, which: { id: number } | { name: string }): Promise<boolean> {
    const removed = await store.delete(userId, which)
    await ports.storage.announce({ topic: 'users', id: userId })
    return removed
  }

  return {
    accessTokens: (_, { caller }) => store.listOfUser(requireUserAccess(caller).user.id),
    createAccessToken: (form, { caller }) =>
      ports.storage.transaction((within) => makeAccessToken(ports, within, requireUserAccess(caller), form)),
    async deleteAccessToken({ id }, { caller }) {
      if (!(await remove(requireUserAccess(caller).user.id, { id }))) fail('access_token.missing')
      return null
    },
    async thisAccessToken(_, { caller }) {
      const { user, access } = requireUserAccess(caller)
      const own = await store.listOfUser(user.id)
      return own.find(({ id }) => id === access?.id) ?? fail('access_token.missing')
    },
    async endThisAccessToken(_, { caller }) {
      const { user, access } = requireUserAccess(caller)
      if (!access || !(await remove(user.id, access))) fail('access_token.missing')
      return null
    },
    async accessToken(_, { caller }) {
      const owner = requireUserAccess(caller)
      const { id } = owner.user
      const form = { name: DEFAULT_TOKEN_NAME, scope: 'all', expired_time: NEVER_EXPIRES } as const
      const { token } = await ports.storage.transaction(async (within) => {
        await within.users.lock(id)
        await within.accessTokens.delete(id, { name: DEFAULT_TOKEN_NAME })
        return makeAccessToken(ports, within, owner, form)
      })
      await ports.storage.announce({ topic: 'users', id })
      return token
    },
    async revokeAccessToken(_, { caller }) {
      await remove(requireUserAccess(caller).user.id, { name: DEFAULT_TOKEN_NAME })
      return null
    },
  }
}

export const usersFeature: Feature<UserPorts, typeof usersContract> = {
  contract: usersContract,
  handlers: createUserHandlers,
}
