// Users in the database, each with an account. The ledger writes the balances.
import type { Knex } from 'knex'
import { fail } from '../../errors.ts'
import { signInServiceList } from '../../settings/sign-in-services.ts'
import type { NewUser, UserPatch, UserStore } from '../../users/store.ts'
import { isTakenFor, toLookalikeKey, getLookalikeKeys } from '../../users/name.ts'
import { ROLE, User } from '../../users/user.ts'
import type { Database } from './database.ts'
import { updateRow } from './edits.ts'
import { withIdentities } from './identities.ts'
import { readPage } from './paging.ts'
import { toStorableId, containsText, getIdColumn, violatesUnique, toStorableText, defineTable } from './table.ts'

/** The columns of a user. Identities at other services are added to it. */
export const userTable = defineTable('users', User, {
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
  const users = () => joinAccounts(read).select(userTable.columns)
  const entities = (rows: Record<string, unknown>[]) => withIdentities(database, rows.map(userTable.entity))
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
      const own = { ...userTable.values(user), ...hiddenColumns(user) }
      const insert = async (transaction: Knex) => {
        const [account]: { id: number }[] = await transaction('accounts')
          .insert({ kind: 'user', ...getIdColumn(user) })
          .returning('id')
        const id = Number(account?.id)
        await transaction('users').insert({ id, ...own })
        return id
      }
      const id = await nameOrTaken(withName(user.username, undefined, insert))
      return entity(await joinAccounts(write).select(userTable.columns).where({ 'users.id': id }).first())
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
    findRoot: async () => entityOrNull(await queryExisting().where({ role: ROLE.root }).orderBy('users.id').first()),
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
            if (!violatesUnique(error, 'users_aff_code_unique') && !violatesUnique(error, 'users.aff_code')) throw error
          })
      }
    },
    list: async (slice) => {
      const { items, ...count } = await readPage(() => joinAccounts(read), slice, { table: userTable })
      return { items: await entities(items), ...count }
    },
    async search({ keyword, group }, slice) {
      const matching = () => {
        const query = joinAccounts(read)
        if (group !== '') query.where({ group: toStorableText(group) })
        if (keyword === '') return query
        return query.where((any) => {
          for (const column of ['username', 'email', 'display_name', 'remark'])
            any.orWhere(containsText(read, column, keyword))
          if (/^\d{1,15}$/.test(keyword)) any.orWhere({ 'users.id': Number(keyword) })
        })
      }
      const { items, ...count } = await readPage(matching, slice, { table: userTable })
      return { items: await entities(items), ...count }
    },
    async update(id, patch, edit) {
      const values = { ...userTable.values(patch), ...hiddenColumns(patch) }
      if (Object.keys(values).length === 0 && edit?.version === undefined) return
      const { username, password_hash } = patch
      const change = async (on: Knex) => {
        await updateRow(on, { table: 'users', id: toStorableId(id), noun: 'user' }, values, edit)
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
    if (violatesUnique(error, 'users_username_unique')) fail('user.name_taken', {}, { cause: error })
    if (violatesUnique(error, 'users_email_unique')) fail('email.taken', {}, { cause: error })
    // SQLite names the column of a plain index, PostgreSQL the index.
    if (violatesUnique(error, 'users_one_root') || violatesUnique(error, 'users.role'))
      fail('setup.done', {}, { cause: error })
    throw error
  }
}
