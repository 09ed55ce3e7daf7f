// Sign-in services added by the operator, with encrypted secrets.
import type { LoginService } from '../../auth/methods/oidc.ts'
import type { LoginServiceStore } from '../../auth/login-service-store.ts'
import { fail } from '../../errors.ts'
import type { SealedPlace, Secrets } from '../../ports/secrets.ts'
import type { Database } from './database.ts'
import { updateRow } from './edits.ts'
import { violatesUnique, toStorableText } from './table.ts'

/** Bound to the id as it is stored. */
const getSealedPlace = (id: string): SealedPlace => ['login_providers.client_secret_sealed', toStorableText(id)]

type Row = Omit<LoginService, 'client_secret'> & { client_secret_sealed: string }

export function createLoginServiceStore({ write, read }: Database, secrets: Secrets): LoginServiceStore {
  const entity = ({ client_secret_sealed, enabled, ...rest }: Row): LoginService => ({
    ...rest,
    enabled: Boolean(enabled),
    client_secret: secrets.decrypt(client_secret_sealed, getSealedPlace(rest.id)),
  })
  const row = ({ client_secret, ...rest }: Partial<LoginService>, id: string) => ({
    ...rest,
    id: toStorableText(id),
    ...(client_secret === undefined
      ? {}
      : { client_secret_sealed: secrets.encrypt(client_secret, getSealedPlace(id)) }),
  })
  return {
    async find(id) {
      const found = await read<Row>('login_providers')
        .where({ id: toStorableText(id) })
        .first()
      return found ? entity(found) : null
    },
    list: async () => (await read<Row>('login_providers').orderBy('id')).map(entity),
    async insert(provider) {
      try {
        await write('login_providers').insert(row(provider, provider.id))
      } catch (error) {
        const taken = violatesUnique(error, 'login_providers_pkey') || violatesUnique(error, 'login_providers.id')
        if (taken) fail('provider.taken', {}, { cause: error })
        throw error
      }
    },
    async update(id, patch, edit) {
      const { id: key, ...values } = row(patch, id)
      return (await updateRow(write, { table: 'login_providers', id: key, noun: 'provider' }, values, edit)) > 0
    },
    delete: async (id) =>
      (await write('login_providers')
        .where({ id: toStorableText(id) })
        .delete()) > 0,
  }
}
