// Sign-ins by a short code, in the database. Their device codes are stored as keyed hashes.
import type { DeviceRequest } from '../../devices/device.ts'
import type { DeviceStore } from '../../devices/store.ts'
import type { Database } from './database.ts'
import { toStorableId } from './table.ts'

const DEVICE_COLUMNS = [
  'id',
  'name',
  'scope',
  'ip',
  'created_time',
  'expires_time',
  'expired_time',
  'state',
  'token_id',
  'interval',
  'polled_ms',
] as const

export function createDeviceStore({ write, read }: Database): DeviceStore {
  const query = () => write('device_requests')
  const one = (id: number) => query().where({ id: toStorableId(id) })
  return {
    async insert(request) {
      await query().insert(request)
    },
    find: async (by, now) =>
      (await read<DeviceRequest>('device_requests')
        .where(by)
        .where('expires_time', '>', now)
        .first(...DEVICE_COLUMNS)) ?? null,
    answer: async (id, state) => (await one(id).where({ state: 'waiting' }).update({ state })) > 0,
    async give(id, token_id) {
      await one(id).update({ token_id })
    },
    async recordPoll(id, when) {
      await one(id).update(when)
    },
    take: async (id) => (await one(id).delete()) > 0,
    async deleteExpired(now) {
      const expired = () => query().where('expires_time', '<=', now)
      await write('access_tokens').whereIn('id', expired().whereNotNull('token_id').select('token_id')).delete()
      await expired().delete()
    },
  }
}
