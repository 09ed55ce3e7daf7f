// Converts a channel of one-hub. Its types have other numbers than Weir's, and it keeps a proxy, headers and fields of
// the body in separate columns.
import { ChannelPatch } from '../../channels/channel.ts'
import { fillTemplate, joinList, words, type Words } from '../../errors.ts'
import type { ImportedChannel } from '../imported-rows.ts'
import { convertAncestorChannel } from '../ancestor/channel.ts'
import { getCellFlag, getCellObject, getCellText, getCellWhole, getCellWord } from '../cells.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import type { LeftRow } from '../product.ts'

// The types of one-hub's channels, by its numbers: ours, and the address that it had by default where ours has another.
interface OneHubType {
  type: number
  base_url?: string
}

const openai = (base_url: string): OneHubType => ({ type: 1, base_url })

/** Types that are not named here are not served. */
const ONE_HUB_TYPES: Readonly<Record<number, OneHubType>> = {
  1: { type: 1 },
  3: { type: 3 },
  8: { type: 1 },
  14: { type: 14 },
  15: { type: 15 },
  16: { type: 26 },
  17: { type: 17 },
  18: { type: 18 },
  19: { type: 19 },
  20: { type: 20 },
  23: { type: 23 },
  25: { type: 24 },
  26: openai('https://api.baichuan-ai.com'),
  27: { type: 35 },
  28: { type: 43 },
  29: { type: 25 },
  30: { type: 42 },
  31: { type: 1001 },
  32: { type: 33 },
  33: { type: 31 },
  34: { type: 2 },
  35: { type: 39 },
  36: { type: 34 },
  38: { type: 49 },
  39: { type: 4 },
  41: { type: 36 },
  42: { type: 41 },
  45: { type: 40 },
  47: { type: 38 },
}

const MIDJOURNEY = 34
const BEDROCK = 32
const CLOUDFLARE = 35
const VERTEX = 42

/** Members of `custom_parameter` that control the use of the others. */
const CONTROLS = ['overwrite', 'per_model', 'pre_add']

export function oneHubChannel(row: SourceRow): ImportedChannel | LeftRow {
  const notes: RowChangeNotes = []
  const sourceType = getCellWhole(row, 'type')
  if (getCellWord(row, 'deleted_at') !== '')
    return {
      kind: 'channel',
      id: getCellWord(row, 'id'),
      name: getCellText(row, 'name'),
      left: words('it was deleted there'),
    }
  const known = ONE_HUB_TYPES[sourceType]
  const setting = buildSetting(row, notes)
  const parameters = getCellObject(row, 'custom_parameter', notes)
  const off = findDisableReason(sourceType, setting, parameters)
  tellLost(row, notes)
  if (parameters.overwrite !== true && Object.keys(parameters).some((name) => !CONTROLS.includes(name)))
    notes.push(words('its further fields apply to every call here, also where the client sends its own value'))
  const override = Object.entries(parameters).filter(([name]) => !CONTROLS.includes(name))
  return convertAncestorChannel(
    {
      ...row,
      model_mapping: JSON.stringify(convertMapping(row, notes)),
      param_override: parameters.per_model === true ? '' : JSON.stringify(Object.fromEntries(override)),
    },
    {
      type: known?.type ?? 1,
      ...convertKey(sourceType, getCellText(row, 'key'), getCellText(row, 'other')),
      base_url: getCellWord(row, 'base_url') || (known?.base_url ?? ''),
      setting: JSON.stringify(setting),
      ...(off ? { off } : {}),
    },
    notes,
  )
}

/** Returns why the channel cannot be used unchanged. */
function findDisableReason(type: number, setting: object, parameters: Record<string, unknown>): Words | undefined {
  if (ONE_HUB_TYPES[type] === undefined)
    return fillTemplate(words('type {type} is not served here: it came as OpenAI-compatible, switched off'), { type })
  if (parameters.per_model === true)
    return words('its further fields differ by model, which has no place here: it is switched off')
  return ChannelPatch.shape.setting.safeParse(JSON.stringify(setting)).success
    ? undefined
    : words('its proxy or its headers cannot be stored here: it is switched off')
}

function buildSetting(row: SourceRow, notes: RowChangeNotes): Record<string, unknown> {
  const [proxy, headers] = [getCellWord(row, 'proxy'), getCellObject(row, 'model_headers', notes)]
  return {
    ...(proxy === '' ? {} : { proxy }),
    ...(Object.keys(headers).length === 0
      ? {}
      : { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])) }),
  }
}

/**
 * Returns the mapping. A target with a plus was charged as the name that was asked for, as here; any other as the
 * target.
 */
function convertMapping(row: SourceRow, notes: RowChangeNotes): Record<string, string> {
  const pairs = Object.entries(getCellObject(row, 'model_mapping', notes)).map(
    ([name, to]) => [name, String(to)] as const,
  )
  const charged = pairs.filter(([name, to]) => !to.startsWith('+') && to !== name).map(([name]) => name)
  if (charged.length > 0)
    notes.push(
      fillTemplate(
        words(
          '{charged}: was charged as the model that it is mapped to, and is charged by its own name here: check its price',
        ),
        { charged: joinList(charged) },
      ),
    )
  return Object.fromEntries(pairs.map(([name, to]) => [name, to.replace(/^\+/, '')]))
}

/** Returns the key and `other` in the order that Weir's provider has. */
function convertKey(type: number, key: string, other: string): { key: string; other: string } {
  const parts = key.trim().split('|')
  if (type === BEDROCK && parts.length >= 3) return { key: [parts[1], parts[2], parts[0]].join('|'), other }
  if (type === CLOUDFLARE && parts.length === 2) return { key: parts[1] ?? '', other: parts[0] ?? '' }
  return type === VERTEX ? { key, other: other.split('|', 1)[0] ?? '' } : { key, other }
}

/** Reports the columns that have no counterpart in Weir, if their value is not the default. */
function tellLost(row: SourceRow, notes: RowChangeNotes): void {
  const flags = ['only_chat', 'compatible_response', 'allow_extra_body'].filter((column) => getCellFlag(row, column))
  const texts = ['plugin', 'disabled_stream'].filter(
    (column) => !['', '{}', '[]', 'null'].includes(getCellWord(row, column)),
  )
  const lost = [
    ...flags,
    ...texts,
    ...(getCellWhole(row, 'pre_cost') > 1 ? ['pre_cost'] : []),
    ...(getCellWhole(row, 'type') === BEDROCK && getCellText(row, 'key').split('|').length > 3
      ? ['session token']
      : []),
    ...(getCellWhole(row, 'type') === MIDJOURNEY && getCellWord(row, 'other') !== '' ? ['other'] : []),
  ]
  if (lost.length > 0) notes.push(fillTemplate(words('Weir has no place for {lost}'), { lost: joinList(lost) }))
}
