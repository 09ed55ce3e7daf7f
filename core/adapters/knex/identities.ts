// The identities of users at other services.
import { fail } from '../../errors.ts'
import { signInServiceList, type IdentityField } from '../../settings/sign-in-services.ts'
import { isSubject, type Identity, type IdentityStore } from '../../users/identity.ts'
import type { User } from '../../users/user.ts'
import type { Database } from './database.ts'
import { toStorableId, violatesUnique, toStorableText } from './table.ts'

const COLUMNS = ['provider', 'subject', 'user_id', 'created_time'] as const

export function createIdentityStore({ write, read }: Database): IdentityStore {
  const identities = () => read<Identity>('identities').select(...COLUMNS)
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
          violatesUnique(error, 'identities_pkey') || violatesUnique(error, 'identities.provider, identities.subject')
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
export async function withIdentities({ read }: Database, users: Omit<User, IdentityField>[]): Promise<User[]> {
  const ids = users.map(({ id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await read<Identity>('identities')
          .select(...COLUMNS)
          .whereIn('user_id', ids)
  const fields = new Map<number, Partial<Record<IdentityField, string>>>()
  for (const { provider, subject, user_id } of rows) {
    const field = fieldOf.get(provider)
    if (field) fields.set(user_id, { ...fields.get(user_id), [field]: subject })
  }
  return users.map((user) => ({ ...user, ...none, ...fields.get(user.id) }))
}
