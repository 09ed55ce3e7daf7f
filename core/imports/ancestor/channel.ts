// Converts a channel of one-api, or of a product derived from it, to its stored form. Fields that no form accepts are
// left empty and reported.
import { ChannelPatch, CHANNEL_STATUS, parseNameList } from '../../channels/channel.ts'
import { MAX_REMARK_LENGTH } from '../../contract/remark.ts'
import { fillTemplate, joinList, words } from '../../errors.ts'
import { findProvider } from '../../providers/index.ts'
import type { ImportedChannel } from '../imported-rows.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import {
  getCellAmount,
  getCellCount,
  getCellDecimal,
  getCellText,
  getCellTime,
  getCellWhole,
  getCellWord,
} from '../cells.ts'
import type { SkippedRow } from '../product.ts'

/** The fields that differ between the products. */
export type OwnFields = Pick<ImportedChannel, 'type' | 'key' | 'base_url'> &
  Partial<
    Pick<
      ImportedChannel,
      'other' | 'setting' | 'key_mode' | 'openai_organization' | 'other_info' | 'auto_ban' | 'param_override'
    >
  > & {
    /** Reason for disabling the channel, if it cannot be used unchanged. */
    off?: ImportedChannel['notes'][number]
  }

const OPENAI = 1

export function convertAncestorChannel(
  row: SourceRow,
  own: OwnFields,
  notes: RowChangeNotes,
): ImportedChannel | SkippedRow {
  const label = { kind: 'channel' as const, id: getCellWord(row, 'id'), name: getCellText(row, 'name') }
  const provider = findProvider(own.type)
  const unknown =
    provider === undefined
      ? fillTemplate(words('type {type} is not known here: it came as OpenAI-compatible, switched off'), {
          type: own.type,
        })
      : undefined
  const off = own.off ?? unknown
  if (off) notes.push(off)
  const status = getCellWhole(row, 'status')
  const lost: string[] = []
  const taken = <F extends keyof typeof ChannelPatch.shape>(field: F, value: string | null) => {
    const accepted = checkedField(field, value, notes)
    if (value && accepted === '') lost.push(field)
    return accepted
  }
  const many = own.key_mode ?? (provider?.key_has_lines ? '' : keyMode(own.key, notes))
  const arrival = {
    ...label,
    notes,
    name: taken('name', label.name) || `channel ${label.id}`,
    type: provider ? own.type : OPENAI,
    key: own.key.trim(),
    key_mode: many,
    openai_organization: taken('openai_organization', own.openai_organization ?? ''),
    test_model: taken('test_model', getCellWord(row, 'test_model')),
    status: off ? CHANNEL_STATUS.disabled : status in STATUSES ? status : CHANNEL_STATUS.disabled,
    weight: getCellCount(row, 'weight'),
    priority: Math.max(-999, getCellWhole(row, 'priority')),
    created_time: getCellTime(row, 'created_time'),
    test_time: getCellTime(row, 'test_time'),
    response_time: getCellCount(row, 'response_time'),
    base_url: taken('base_url', own.base_url),
    other: own.other ?? '',
    balance: Number(getCellDecimal(row, 'balance') || 0),
    balance_updated_time: getCellTime(row, 'balance_updated_time'),
    models: parseNameList(getCellText(row, 'models')).join(','),
    group: parseNameList(getCellText(row, 'group')).join(',') || 'default',
    used_quota: getCellAmount(row, 'used_quota', notes),
    model_mapping: taken('model_mapping', emptyObject(getCellText(row, 'model_mapping'))),
    status_code_mapping: taken('status_code_mapping', emptyObject(getCellText(row, 'status_code_mapping'))),
    auto_ban: own.auto_ban ?? (getCellWord(row, 'auto_ban') === '0' ? 0 : 1),
    other_info: own.other_info ?? '',
    tag: taken('tag', getCellWord(row, 'tag')) || null,
    remark: getCellText(row, 'remark').trim().slice(0, MAX_REMARK_LENGTH),
    setting: taken('setting', emptyObject(own.setting ?? '')),
    param_override: taken('param_override', emptyObject(own.param_override ?? getCellText(row, 'param_override'))),
  }
  const missing = lost.filter((field) => DECISIVE.has(field))
  if (missing.length === 0) return arrival
  notes.push(fillTemplate(words('it is switched off without {missing}'), { missing: joinList(missing) }))
  return { ...arrival, status: CHANNEL_STATUS.disabled }
}

/** The fields that decide where a call goes and what it asks: without one, it would be another call. */
const DECISIVE: ReadonlySet<string> = new Set([
  'base_url',
  'model_mapping',
  'openai_organization',
  'param_override',
  'setting',
])

const STATUSES: Readonly<Record<number, true>> = {
  [CHANNEL_STATUS.enabled]: true,
  [CHANNEL_STATUS.disabled]: true,
  [CHANNEL_STATUS.auto_disabled]: true,
}

/** Empty objects are written in several ways. */
const emptyObject = (text: string): string => (['null', '{}', '""', ''].includes(text.trim()) ? '' : text)

/** Returns a field's value as its form accepts it. A refused value is left out and reported. */
function checkedField(field: keyof typeof ChannelPatch.shape, value: string | null, notes: RowChangeNotes): string {
  if (value === null || value === '') return ''
  const parsed = ChannelPatch.shape[field].safeParse(value)
  if (parsed.success) return String(parsed.data ?? '')
  notes.push(fillTemplate(words('{field} was nothing that can be stored here and was left out'), { field }))
  return ''
}

/** Several lines are several keys. */
function keyMode(key: string, notes: RowChangeNotes): string {
  const lines = key.split('\n').filter((line) => line.trim() !== '')
  if (lines.length < 2) return ''
  notes.push(
    fillTemplate(words('its {lines} keys are used at random, independently of each other'), { lines: lines.length }),
  )
  return 'random'
}
