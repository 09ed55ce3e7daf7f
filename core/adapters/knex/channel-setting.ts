// A channel's setting as stored: sealed as a whole where it has headers or a proxy, which may carry keys.
import { hasSecrets } from '../../channels/setting-secrets.ts'
import { jsonObject } from '../../channels/channel.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Database } from './database.ts'

/** What stands in the column of a channel; one of `sealedColumns` by the member `sealed`. */
export const storedSetting = (setting: string, id: number, secrets: Secrets): string =>
  hasSecrets(setting) ? JSON.stringify({ sealed: secrets.encrypt(setting, ['channels.setting', id]) }) : setting

export function readSetting(stored: string, id: number, secrets: Secrets): string {
  const { sealed, ...rest } = jsonObject(stored)
  return typeof sealed === 'string' && Object.keys(rest).length === 0
    ? secrets.decrypt(sealed, ['channels.setting', id])
    : stored
}

/** Settings of a version that kept them open are sealed; only of rows that are still as they were read. */
export async function sealSettings({ read, write }: Database, secrets: Secrets): Promise<void> {
  const rows: { id: number; setting: string }[] = await read('channels')
    .select('id', 'setting')
    .where((any) => any.where('setting', 'like', '%"headers"%').orWhere('setting', 'like', '%"proxy"%'))
  for (const { id, setting } of rows) {
    await write('channels')
      .where({ id, setting })
      .update({ setting: storedSetting(setting, id, secrets) })
  }
}
