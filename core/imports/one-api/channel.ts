// Converts a channel of one-api. Its types have other numbers than Weir's, and `config` holds everything except the
// key.
import { cleanBaseUrl } from '../../contract/base-url.ts'
import { fillTemplate, type Words, words } from '../../errors.ts'
import type { ImportedChannel } from '../imported-rows.ts'
import { convertAncestorChannel, type OwnFields } from '../ancestor/channel.ts'
import { getCellObject, getCellText, getCellWhole, getCellWord, type RowChangeNotes, type SourceRow } from '../cells.ts'
import type { LeftRow } from '../product.ts'

// The types of one-api's channels, by its numbers: ours, the address that it had by default where ours has another, and
// why one cannot be used.

interface KnownType {
  type: number
  base_url?: string
  why?: Words
}

const same = (...types: number[]) => Object.fromEntries(types.map((type) => [type, { type }]))
const openai = (base_url: string): KnownType => ({ type: 1, base_url })
const none = (name: string): KnownType => ({
  type: 1,
  why: fillTemplate(words('{name} is not served here: it came as OpenAI-compatible, switched off'), { name }),
})

const ONE_API_TYPES: Readonly<Record<number, KnownType>> = {
  ...same(1, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 31, 33),
  2: openai('https://oa.api2d.net'),
  4: openai('https://api.closeai-proxy.xyz'),
  5: openai('https://api.openai-sb.com'),
  26: openai('https://api.baichuan-ai.com'),
  27: { type: 35 },
  28: { type: 42 },
  29: { type: 1001 },
  30: { type: 4 },
  32: openai('https://api.stepfun.com'),
  34: { type: 49 },
  35: { type: 34 },
  36: { type: 43 },
  37: { type: 39 },
  38: none('DeepL'),
  39: { type: 1002 },
  40: { type: 45 },
  41: openai('https://api.novita.ai/openai'),
  42: { type: 41 },
  43: none('Proxy'),
  44: { type: 40 },
  45: { type: 48 },
  46: none('Replicate'),
  47: { type: 46 },
  48: openai('https://spark-api-open.xf-yun.com'),
  49: openai('https://dashscope.aliyuncs.com/compatible-mode'),
  50: { type: 1 },
  51: { type: 24 },
}

type Config = Record<string, unknown>

const getText = (config: Config, name: string): string => (typeof config[name] === 'string' ? config[name] : '')

/** Only the types whose address contains a version are called without the usual `/v1`. */
const COMPATIBLE = [50, 51]
const FULL_ADDRESS = 8

export function oneApiChannel(row: SourceRow): ImportedChannel | LeftRow {
  const notes: RowChangeNotes = []
  const sourceType = getCellWhole(row, 'type')
  const config = getCellObject(row, 'config', notes)
  const known = ONE_API_TYPES[sourceType]
  const base_url = getCellWord(row, 'base_url') || (known?.base_url ?? '')
  const prompt = getCellText(row, 'system_prompt')
  const placed = COMPATIBLE.includes(sourceType) ? compatible(base_url, notes) : { base_url }
  return convertAncestorChannel(
    row,
    {
      type: known?.type ?? sourceType,
      key: buildKey(sourceType, getCellText(row, 'key'), config),
      other: getOther(sourceType, getCellText(row, 'other'), config),
      setting: prompt === '' ? '' : JSON.stringify({ system_prompt: prompt, system_prompt_override: true }),
      ...placed,
      ...(known === undefined ? { type: UNKNOWN, off: unknown(sourceType) } : {}),
      ...(known?.why ? { off: known.why } : {}),
    },
    notes,
  )
}

const UNKNOWN = 1
const unknown = (type: number) =>
  fillTemplate(words('type {type} is not known here: it came as OpenAI-compatible, switched off'), { type })

/** one-api's address ends before `/chat/completions`, Weir's before `/v1`. */
function compatible(base: string, notes: RowChangeNotes): Pick<OwnFields, 'base_url'> & { type?: number } {
  const address = cleanBaseUrl(base)
  if (address.endsWith('/v1')) return { base_url: address.slice(0, -'/v1'.length) }
  if (address === '' || new RegExp('^https?://[^/]+$').test(address)) return { base_url: address }
  notes.push(words('its address has another version than v1: it came as one whole address, for chat'))
  return { base_url: `${address}/chat/completions`, type: FULL_ADDRESS }
}

function buildKey(type: number, key: string, config: Config): string {
  if (type === 33 && !key.includes('|') && getText(config, 'ak') !== '')
    return [getText(config, 'ak'), getText(config, 'sk'), getText(config, 'region')].join('|')
  const account = getText(config, 'vertex_ai_adc')
  return type === 42 && !key.trim().startsWith('{') && account.startsWith('{') ? account : key
}

/** Returns the value of `config` that Weir stores in the field `other`. */
function getOther(type: number, other: string, config: Config): string {
  const named: Readonly<Record<number, string>> = {
    3: 'api_version',
    18: 'api_version',
    17: 'plugin',
    21: 'library_id',
    34: 'user_id',
    37: 'user_id',
    42: 'region',
  }
  const from = named[type]
  return (from === undefined ? '' : getText(config, from)) || other
}
