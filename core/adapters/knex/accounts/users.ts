// Users in the database, each with an account. The ledger writes the balances.
import type { Knex } from 'knex'
import { parseNameList } from '../../../channels/channel.ts'
import { fail } from '../../../errors.ts'
import type { GroupUse, GroupUseStore } from '../../../groups/store.ts'
import { type IdentityField, signInServiceList } from '../../../settings/sign-in-services.ts'
import { getLookalikeKeys, isTakenFor, toLookalikeKey } from '../../../users/name.ts'
import type { NewUser, UserPatch, UserStore } from '../../../users/store.ts'
import type { ExternalAccount, ExternalAccountStore } from '../../../users/user.ts'
import { isSubject, USER_ROLE, USER_STATUS, User } from '../../../users/user.ts'
import type { Database } from '../connection/database.ts'
import { readQueryPage } from '../sql/paging.ts'
import {
  columnContainsText,
  defineTable,
  getIdColumn,
  toStorableId,
  toStorableText,
  updateTableRow,
  violatesUniqueIndex,
} from '../sql/table.ts'

// The identities of users at other services.

const COLUMNS = ['provider', 'subject', 'user_id', 'created_time'] as const

export function createIdentityStore({ write, read }: Database): ExternalAccountStore {
  const identities = () => read<ExternalAccount>('identities').select(...COLUMNS)
  return {
    async find(provider, subject) {
      if (!isSubject(subject)) return null
      return (
        (await identities()
          .where({ provider: toStorableText(provider), subject })
          .first()) ?? null
      )
    },
    listOfUser: (userId) =>
      identities()
        .where({ user_id: toStorableId(userId) })
        .orderBy('provider'),
    async bind({ provider, subject, user_id, created_time }) {
      if (!isSubject(subject)) fail('oauth.subject', { provider })
      const identity = { provider, subject, user_id, created_time }
      try {
        await write('identities')
          .insert(identity)
          .onConflict(['user_id', 'provider'])
          .merge(['subject', 'created_time'])
      } catch (error) {
        const taken =
          violatesUniqueIndex(error, 'identities_pkey') ||
          violatesUniqueIndex(error, 'identities.provider, identities.subject')
        if (taken) fail('oauth.taken', { provider }, { cause: error })
        throw error
      }
    },
    unbind: async (userId, provider) =>
      (await write('identities')
        .where({ user_id: toStorableId(userId), provider: toStorableText(provider) })
        .delete()) > 0,
  }
}

const none = Object.fromEntries(signInServiceList.map(({ field }) => [field, ''])) as Record<IdentityField, string>
const fieldOf = new Map<string, IdentityField>(signInServiceList.map(({ type, field }) => [type, field]))

/** Adds the ids at other services to users. */
export async function addUserIdentities({ read }: Database, users: Omit<User, IdentityField>[]): Promise<User[]> {
  const ids = users.map(({ id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await read<ExternalAccount>('identities')
          .select(...COLUMNS)
          .whereIn('user_id', ids)
  const fields = new Map<number, Partial<Record<IdentityField, string>>>()
  for (const { provider, subject, user_id } of rows) {
    const field = fieldOf.get(provider)
    if (field) fields.set(user_id, { ...fields.get(user_id), [field]: subject })
  }
  return users.map((user) => ({ ...user, ...none, ...fields.get(user.id) }))
}

/** The columns of a user. Identities at other services are added to it. */
export const userTableDefinition = defineTable('users', User, {
  without: signInServiceList.map(({ field }) => field),
  renamed: { aff_history_quota: 'aff_history', DeletedAt: 'deleted_at' },
  joined: {
    table: 'accounts',
    fields: ['quota', 'used_quota', 'request_count', 'aff_count', 'aff_quota', 'aff_history_quota'],
  },
  readonly: ['id', 'DeletedAt', 'version'],
})

/** Joins users with their own accounts. */
export const joinAccounts = (read: Knex): Knex.QueryBuilder => read('users').join('accounts', 'accounts.id', 'users.id')

/** Number of rows that one statement handles on both databases. */
const FILLED_AT_ONCE = 200
/** The key of the advisory lock. Any number works, as long as it never changes. */
const NAMES_LOCK = 7_330_148

export function createUserStore(database: Database): UserStore {
  const { write, read } = database
  const users = () => joinAccounts(read).select(userTableDefinition.columns)
  const entities = (rows: Record<string, unknown>[]) =>
    addUserIdentities(database, rows.map(userTableDefinition.entity))
  const entityOrNull = async (row: Record<string, unknown> | undefined) => (row ? entity(row) : null)
  const entity = async (row: Record<string, unknown>) => {
    const [user] = await entities([row])
    return user as User
  }
  const queryExisting = () => users().whereNull('deleted_at')

  /** Runs work that writes a name, while no one else writes one. SQLite has only one writer. */
  const withName = <T>(name: string, self: number | undefined, work: (transaction: Knex.Transaction) => Promise<T>) =>
    write.transaction(async (transaction) => {
      if (database.kind === 'postgres') await transaction.raw('select pg_advisory_xact_lock(?)', [NAMES_LOCK])
      const alike: { id: number; username: string }[] = await transaction('users')
        .whereIn('looks', getLookalikeKeys(name).map(toStorableText))
        .select('id', 'username')
      if (alike.some(({ id, username }) => id !== self && isTakenFor(username, name))) fail('user.name_taken')
      return work(transaction)
    })

  return {
    async insert(user) {
      const own = { ...userTableDefinition.values(user), ...hiddenColumns(user) }
      const insert = async (transaction: Knex) => {
        const [account]: { id: number }[] = await transaction('accounts')
          .insert({ kind: 'user', ...getIdColumn(user) })
          .returning('id')
        const id = Number(account?.id)
        await transaction('users').insert({ id, ...own })
        return id
      }
      const id = await nameOrTaken(withName(user.username, undefined, insert))
      return entity(await joinAccounts(write).select(userTableDefinition.columns).where({ 'users.id': id }).first())
    },
    find: async (id) =>
      entityOrNull(
        await users()
          .where({ 'users.id': toStorableId(id) })
          .first(),
      ),
    async lock(id) {
      await write('users')
        .where({ id: toStorableId(id) })
        .forNoKeyUpdate()
        .first('id')
    },
    async findByLogin(name) {
      if (name === '') return null
      const login = toStorableText(name)
      const row = await queryExisting()
        .select('password_hash')
        .where((either) =>
          either.whereRaw('lower(username) = lower(?)', [login]).orWhereRaw('lower(email) = lower(?)', [login]),
        )
        // A username is unique, an email address is not: a matching name comes first, then the oldest account.
        .orderByRaw('case when lower(username) = lower(?) then 0 else 1 end, users.id', [login])
        .first()
      return row ? { user: await entity(row), password_hash: row.password_hash as string } : null
    },
    findRoot: async () =>
      entityOrNull(await queryExisting().where({ role: USER_ROLE.root }).orderBy('users.id').first()),
    async findByInvitation(code) {
      if (code === '') return null
      return entityOrNull(
        await queryExisting()
          .where({ aff_code: toStorableText(code) })
          .first(),
      )
    },
    async emailTaken(email) {
      const row = await read('users')
        .whereRaw('lower(email) = lower(?)', [toStorableText(email)])
        .first('id')
      return row !== undefined
    },
    async passwordHash(id) {
      const row = await queryExisting()
        .select('password_hash')
        .where({ 'users.id': toStorableId(id) })
        .first()
      return (row?.password_hash as string | undefined) ?? ''
    },
    async renewHash(id, former, password_hash) {
      await write('users')
        .where({ id: toStorableId(id), password_hash: former })
        .update({ password_hash })
    },
    async invitationCode(id, make) {
      const findUser = async () =>
        (
          await read('users')
            .where({ id: toStorableId(id) })
            .first('aff_code')
        )?.aff_code as string | null
      for (let code = await findUser(); ; code = await findUser()) {
        if (code) return code
        // If the code is taken by chance, another one is generated.
        await write('users')
          .where({ id: toStorableId(id) })
          .whereNull('aff_code')
          .update({ aff_code: make() })
          .catch((error: unknown) => {
            if (!violatesUniqueIndex(error, 'users_aff_code_unique') && !violatesUniqueIndex(error, 'users.aff_code'))
              throw error
          })
      }
    },
    list: async (slice) => {
      const { items, ...count } = await readQueryPage(() => joinAccounts(read), slice, { table: userTableDefinition })
      return { items: await entities(items), ...count }
    },
    async search({ keyword, group, role, status }, slice) {
      const matching = () => {
        const query = joinAccounts(read)
        if (group !== '') query.where({ group: toStorableText(group) })
        if (role) query.where({ role: USER_ROLE[role] })
        if (status === 'deregistered') query.whereNotNull('deleted_at')
        else if (status) query.whereNull('deleted_at').where({ status: USER_STATUS[status] })
        if (keyword === '') return query
        return query.where((any) => {
          for (const column of ['username', 'email', 'display_name', 'remark'])
            any.orWhere(columnContainsText(read, column, keyword))
          if (/^\d{1,15}$/.test(keyword)) any.orWhere({ 'users.id': Number(keyword) })
        })
      }
      const { items, ...count } = await readQueryPage(matching, slice, { table: userTableDefinition })
      return { items: await entities(items), ...count }
    },
    async update(id, patch, edit) {
      const values = { ...userTableDefinition.values(patch), ...hiddenColumns(patch) }
      if (Object.keys(values).length === 0 && edit?.version === undefined) return
      const { username, password_hash } = patch
      const change = async (on: Knex) => {
        await updateTableRow(on, { table: 'users', id: toStorableId(id), noun: 'user' }, values, edit)
        if (password_hash === undefined) return
        for (const table of ['known_browsers', 'access_tokens'])
          await on(table)
            .where({ user_id: toStorableId(id) })
            .delete()
      }
      if (username !== undefined) await nameOrTaken(withName(username, toStorableId(id), change))
      else await nameOrTaken(password_hash === undefined ? change(write) : write.transaction(change))
    },
  }
}

/** Fills in the name keys of accounts created by earlier versions. */
export async function backfillNameKeys({ read, write }: Database): Promise<void> {
  for (;;) {
    const rows: { id: number; username: string }[] = await read('users')
      .whereNull('looks')
      .limit(FILLED_AT_ONCE)
      .select('id', 'username')
    if (rows.length === 0) return
    const cases = rows.map(() => 'when id = ? then ?').join(' ')
    await write('users')
      .whereIn(
        'id',
        rows.map(({ id }) => id),
      )
      .update({
        looks: write.raw(
          `case ${cases} end`,
          rows.flatMap(({ id, username }) => [id, toLookalikeKey(username)]),
        ),
      })
  }
}

/** Returns the columns that no entity shows. */
function hiddenColumns({ username, password_hash, deleted_at }: UserPatch & Partial<NewUser>) {
  return {
    ...(username === undefined ? {} : { looks: toLookalikeKey(username) }),
    ...(password_hash === undefined ? {} : { password_hash }),
    ...(deleted_at === undefined ? {} : { deleted_at }),
  }
}

async function nameOrTaken<T>(writing: PromiseLike<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (violatesUniqueIndex(error, 'users_username_unique')) fail('user.name_taken', {}, { cause: error })
    if (violatesUniqueIndex(error, 'users_email_unique')) fail('email.taken', {}, { cause: error })
    // SQLite names the column of a plain index, PostgreSQL the index.
    if (violatesUniqueIndex(error, 'users_one_root') || violatesUniqueIndex(error, 'users.role'))
      fail('setup.done', {}, { cause: error })
    throw error
  }
}

// The uses of each group: users and tokens that have it, channels that serve it.

export function createGroupUseStore({ read }: Database): GroupUseStore {
  return {
    async all() {
      const uses = new Map<string, GroupUse>()
      const add = (group: string, what: Exclude<keyof GroupUse, 'group'>, count: number) => {
        const use = uses.get(group) ?? { group, users: 0, tokens: 0, channels: 0 }
        uses.set(group, { ...use, [what]: use[what] + count })
      }
      type GroupCounts = { group: string; count: number | string }[]
      const countGroups = (query: Knex.QueryBuilder): Promise<GroupCounts> =>
        query.select('group').count({ count: '*' }).groupBy('group')
      for (const { group, count } of await countGroups(read('users').whereNull('deleted_at')))
        add(String(group), 'users', Number(count))
      for (const { group, count } of await countGroups(read('tokens').whereNot({ group: '' })))
        add(String(group), 'tokens', Number(count))
      // There are few channels, each with a comma-separated list.
      for (const { group } of await read('channels').select('group'))
        for (const name of parseNameList(String(group))) add(name, 'channels', 1)
      return [...uses.values()]
    },
  }
}
