// A channel's stored setting: encrypted as a whole if it has headers or a proxy, which may contain keys.
import { hasSecrets } from '../../channels/setting-secrets.ts'
import { jsonObject } from '../../channels/channel.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Database } from './database.ts'

/** Formats the stored text of a setting. Its member `sealed` is one of `sealedColumns`. */
export const encodeSetting = (setting: string, id: number, secrets: Secrets): string =>
  hasSecrets(setting) ? JSON.stringify({ sealed: secrets.encrypt(setting, ['channels.setting', id]) }) : setting

export function decodeSetting(stored: string, id: number, secrets: Secrets): string {
  const { sealed, ...rest } = jsonObject(stored)
  return typeof sealed === 'string' && Object.keys(rest).length === 0
    ? secrets.decrypt(sealed, ['channels.setting', id])
    : stored
}

/** Encrypts settings that an earlier version stored in plain text. A row that changes after it was read is skipped. */
export async function encryptSettings({ read, write }: Database, secrets: Secrets): Promise<void> {
  const rows: { id: number; setting: string }[] = await read('channels')
    .select('id', 'setting')
    .where((any) => any.where('setting', 'like', '%"headers"%').orWhere('setting', 'like', '%"proxy"%'))
  for (const { id, setting } of rows) {
    await write('channels')
      .where({ id, setting })
      .update({ setting: encodeSetting(setting, id, secrets) })
  }
}
