// Converts a channel of new-api, whose types have the same numbers as Weir's.
import { KEY_MODES } from '../../channels/channel.ts'
import { words } from '../../errors.ts'
import type { ChannelArrival } from '../arrival.ts'
import { ancestorChannel } from '../ancestor/channel.ts'
import { cellObject, cellText, cellWhole, cellWord, type Notes, type SourceRow } from '../cells.ts'
import type { LeftRow } from '../product.ts'

export function newApiChannel(row: SourceRow): ChannelArrival | LeftRow {
  const notes: Notes = []
  const info = cellObject(row, 'other_info', notes)
  const setting = { ...cellObject(row, 'settings', notes), ...cellObject(row, 'setting', notes) }
  const mode = getKeyMode(cellObject(row, 'channel_info', notes))
  return ancestorChannel(
    row,
    {
      type: cellWhole(row, 'type'),
      key: cellText(row, 'key'),
      base_url: cellWord(row, 'base_url'),
      other: cellText(row, 'other'),
      openai_organization: cellWord(row, 'open_ai_organization') || cellWord(row, 'openai_organization'),
      other_info: Object.keys(info).length === 0 ? '' : JSON.stringify(info),
      setting: Object.keys(setting).length === 0 ? '' : JSON.stringify(withoutEmpty(setting)),
      ...(mode === undefined ? {} : { key_mode: mode }),
      ...(cellWhole(row, 'type') === 0 ? { off: NO_TYPE } : {}),
    },
    notes,
  )
}

const NO_TYPE = words('it had no type: it is switched off', '没有类型：已停用')

/** Returns how several keys are used, as later versions record it. */
function getKeyMode({ is_multi_key, multi_key_mode }: Record<string, unknown>): (typeof KEY_MODES)[number] | undefined {
  if (is_multi_key !== true) return undefined
  return multi_key_mode === 'polling' ? 'turn' : 'random'
}

const withoutEmpty = (setting: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(setting).filter(([, value]) => value !== '' && value !== null))
