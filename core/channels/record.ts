// Writes an audit row with author, old and new values for each channel that changed.
import { toAuditAuthor, maskSecret, type NewAuditRow } from '../audit/audit.ts'
import type { Caller } from '../auth/caller.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Within } from '../ports/storage.ts'
import type { KeyedChannel } from './channel.ts'
import { parseDisabledKeys } from './keys.ts'
import { maskedSetting } from './setting-secrets.ts'
import type { ChannelChange } from './store.ts'

/** Audits `channel.create`, `channel.update` … with the old and new values of these channels. */
export type RecordChannels = (
  within: Within,
  caller: Caller,
  action: string,
  before: readonly KeyedChannel[],
  after: readonly KeyedChannel[],
) => Promise<void>

export const createRecordChannels =
  ({ clock }: { clock: Clock }): RecordChannels =>
  async ({ audit }, caller, action, before, after) => {
    const by = { ...toAuditAuthor(caller), created_at: seconds(clock), action: `channel.${action}` }
    const ids = [...new Set([...before, ...after].map(({ id }) => id))]
    const rows = ids.flatMap((id): NewAuditRow[] => {
      const [was, is] = [before, after].map((list) => list.find((channel) => channel.id === id))
      const changed = FIELDS.filter((field) => getFieldValue(was, field) !== getFieldValue(is, field))
      if (was && is && changed.length === 0) return []
      return [{ ...by, target: String(id), before: shown(was, changed), after: shown(is, changed) }]
    })
    if (rows.length > 0) await audit.insert(rows)
  }

/** Fields that users set. Measured fields are not audited. */
const SET = [
  ...['name', 'type', 'key', 'key_mode', 'base_url', 'other', 'openai_organization', 'max_input_tokens', 'models'],
  ...['group', 'model_mapping', 'status_code_mapping', 'param_override', 'setting', 'auto_ban', 'test_model'],
  ...['priority', 'weight', 'tag', 'remark', 'address_by'],
] as readonly (keyof ChannelChange)[]
const FIELDS = [...SET, 'status', 'other_info'] as readonly (keyof ChannelChange)[]

/** Returns the disabled keys, the only part of the failure record that users set. */
const listDisabledKeys = (channel: KeyedChannel) => Object.keys(parseDisabledKeys(channel.other_info))
const getFieldValue = (channel: KeyedChannel | undefined, field: keyof ChannelChange) =>
  field === 'other_info' ? (channel ? listDisabledKeys(channel).join() : '') : channel?.[field]

/** Does the change make anything another that people set? The status is not one: channels switch themselves as well. */
export const isEdited = (before: Partial<KeyedChannel>, change: ChannelChange): boolean =>
  SET.some((field) => change[field] !== undefined && change[field] !== before[field])

function shown(channel: KeyedChannel | undefined, fields: readonly (keyof ChannelChange)[]): string {
  if (!channel) return ''
  const { key, setting } = channel
  const safe = { ...channel, key: maskSecret(key), setting: maskedSetting(setting) }
  const audited = fields.map((field) =>
    field === 'other_info' ? ['keys_off', listDisabledKeys(channel)] : [field, safe[field]],
  )
  return JSON.stringify(Object.fromEntries(audited))
}
