// The known browsers of accounts, in the database.
import type { BrowserStore } from '../../auth/browser-store.ts'
import type { Database } from './database.ts'
import { toStorableId, toStorableText } from './table.ts'

const KNOWN_BY_ONE = 50

export function createBrowserStore({ write, read }: Database): BrowserStore {
  return {
    async knows(userId, browser_hash) {
      const row = await read('known_browsers')
        .where({ user_id: toStorableId(userId), browser_hash })
        .first('user_id')
      return row !== undefined
    },
    async knownByEmail(email, browser_hash) {
      const row = await read('known_browsers')
        .join('users', 'users.id', 'known_browsers.user_id')
        .where({ browser_hash })
        .whereRaw('lower(users.email) = lower(?)', [toStorableText(email)])
        .first('users.id')
      return row !== undefined
    },
    remember: (userId, { before, hash }, now) =>
      write.transaction(async (transaction) => {
        const browsers = () => transaction('known_browsers')
        const own = { user_id: toStorableId(userId) }
        await browsers().where({ browser_hash: before }).update({ browser_hash: hash })
        await browsers()
          .insert({ ...own, browser_hash: hash, used_time: now })
          .onConflict(['user_id', 'browser_hash'])
          .merge(['used_time'])
        const latest = browsers().where(own).orderBy('used_time', 'desc').limit(KNOWN_BY_ONE).select('browser_hash')
        await browsers().where(own).whereNotIn('browser_hash', latest).delete()
      }),
    async deleteOld(time) {
      await write('known_browsers').where('used_time', '<', time).delete()
    },
  }
}
