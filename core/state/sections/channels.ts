// The channels of the state: an entry for each, under its slug.
import { z } from 'zod'
import {
  buildChannelPatch,
  buildChannelRows,
  createRecordChannels,
  isEdited,
  normalizeChannelPatch,
} from '../../channels/changes.ts'
import type { ChannelWithKey } from '../../channels/channel.ts'
import { CHANNEL_STATUS, parseJsonObjectText, CHANNEL_KEY_MODES, parseNameList } from '../../channels/channel.ts'
import { KeyedChannelForm, KeyedChannelPatch } from '../../channels/contract.ts'
import { parseInput } from '../../contract/validation.ts'
import { SlugText } from '../../contract/slug.ts'
import { fail, words } from '../../errors.ts'
import { findProvider, allProviders } from '../../providers/index.ts'
import { maskEntrySecrets, type SectionPorts, type StoredSection, type TargetedChange } from '../section.ts'
import type { StateEntry, StateValue } from '../state.ts'

const table = z.record(z.string(), z.json())
const Patch = KeyedChannelPatch.omit({ id: true })

const ChannelEntry = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    type: z.string(),
    enabled: z.boolean(),
    key: z.string(),
    key_mode: z.enum(CHANNEL_KEY_MODES),
    base_url: z.string(),
    other: z.string(),
    openai_organization: z.string(),
    models: z.array(z.string()),
    groups: z.array(z.string()),
    model_mapping: table,
    status_code_mapping: table,
    param_override: table,
    headers: z.record(z.string(), z.string()),
    proxy: z.string(),
    setting: table,
    auto_ban: z.boolean(),
    test_model: z.string(),
    max_input_tokens: z.number(),
    priority: z.number(),
    weight: z.number(),
    tag: z.string().nullable(),
    remark: z.string(),
  })
  .partial()
type ChannelEntry = z.infer<typeof ChannelEntry>

const typeName = (type: number) => findProvider(type)?.id ?? String(type)
const typeNumber = (name: string) =>
  allProviders.find(({ id }) => id === name)?.type ??
  (/^\d{1,9}$/.test(name) ? Number(name) : fail('channel.type_unknown', { type: name }, { field: 'type' }))

function toEntry(channel: ChannelWithKey): Required<ChannelEntry> {
  const { headers = {}, proxy = '', ...setting } = parseJsonObjectText(channel.setting) as Record<string, StateValue>
  return {
    name: channel.name,
    type: typeName(channel.type),
    enabled: channel.status !== CHANNEL_STATUS.disabled,
    key: channel.key,
    key_mode: channel.key_mode as ChannelEntry['key_mode'] & string,
    base_url: channel.base_url,
    other: channel.other,
    openai_organization: channel.openai_organization,
    models: parseNameList(channel.models),
    groups: parseNameList(channel.group),
    model_mapping: parseTable(channel.model_mapping),
    status_code_mapping: parseTable(channel.status_code_mapping),
    param_override: parseTable(channel.param_override),
    setting: setting as ChannelTable,
    headers: headers as Record<string, string>,
    proxy: proxy as string,
    auto_ban: channel.auto_ban === 1,
    test_model: channel.test_model,
    max_input_tokens: channel.max_input_tokens,
    priority: channel.priority,
    weight: channel.weight,
    tag: channel.tag,
    remark: channel.remark,
  }
}

type ChannelTable = z.infer<typeof table>
const parseTable = (text: string) => parseJsonObjectText(text) as ChannelTable

/**
 * Converts an entry to the fields of a channel's form. `setting` is the whole text that results from the one before.
 */
function toForm(entry: ChannelEntry, before?: ChannelWithKey) {
  const text = (value: ChannelTable | undefined) =>
    value === undefined ? undefined : Object.keys(value).length === 0 ? '' : JSON.stringify(value)
  const { headers, proxy, setting } = entry
  const isSet = headers !== undefined || proxy !== undefined || setting !== undefined
  const { headers: hadHeaders, proxy: hadProxy, ...had } = parseJsonObjectText(before?.setting) as ChannelTable
  const whole = {
    ...nonEmpty('proxy', proxy ?? (hadProxy as string | undefined)),
    ...nonEmpty('headers', headers ?? (hadHeaders as ChannelTable | undefined)),
    ...(setting ?? had),
  }
  const form = {
    name: entry.name,
    base_url: entry.base_url,
    other: entry.other,
    key_mode: entry.key_mode,
    key: entry.key,
    type: entry.type === undefined ? undefined : typeNumber(entry.type),
    openai_organization: entry.openai_organization,
    test_model: entry.test_model,
    tag: entry.tag,
    remark: entry.remark,
    models: entry.models?.join(','),
    group: entry.groups?.join(','),
    model_mapping: text(entry.model_mapping),
    status_code_mapping: text(entry.status_code_mapping),
    param_override: text(entry.param_override),
    setting: isSet ? text(whole) : undefined,
    auto_ban: entry.auto_ban === undefined ? undefined : Number(entry.auto_ban),
    max_input_tokens: entry.max_input_tokens,
    priority: entry.priority,
    weight: entry.weight,
  }
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined))
}

const nonEmpty = (name: string, value: string | ChannelTable | undefined) =>
  value === undefined || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
    ? {}
    : { [name]: value }

const hasPassword = (proxy: unknown) =>
  typeof proxy === 'string' && URL.canParse(proxy) && new URL(proxy).password !== ''

/** Returns the entry in its stored form, so that equivalent notations compare as equal. */
function normalizeEntry(entry: ChannelEntry, same: readonly string[]): ChannelEntry {
  const given = pickFields(entry, (field) => !same.includes(field))
  const { name: _name, ...form } = normalizeChannelPatch(parseInput(Patch, toForm(given)))
  const type = entry.type === undefined ? 0 : typeNumber(entry.type)
  const other = given.other?.trim() === '' ? findProvider(type)?.other_default : undefined
  const normalized = { ...BLANK, ...form, ...(other === undefined ? {} : { other }), key: given.key?.trim() ?? '' }
  const { name: _blank, ...stored } = toEntry(normalized as ChannelWithKey)
  const named = pickFields(stored, (field) => Object.hasOwn(given, field))
  return { ...entry, ...named, ...(entry.enabled === undefined ? {} : { enabled: entry.enabled }) }
}

const pickFields = (entry: ChannelEntry, isPicked: (field: string) => boolean): ChannelEntry =>
  Object.fromEntries(Object.entries(entry).filter(([field]) => isPicked(field)))

const BLANK = {
  name: '',
  models: '',
  group: '',
  setting: '',
  model_mapping: '',
  status_code_mapping: '',
  param_override: '',
}

export const channelsStateSection: StoredSection = {
  in: 'stores',
  name: 'channels',
  comment: words(
    'Channels by slug, which stays when a channel is renamed. Keys are references to where they are: ${ENV:NAME} or ${file:PATH}; or sealed',
  ),
  entry: ChannelEntry as z.ZodType<StateEntry>,
  key: SlugText,
  sets: ['models', 'groups'],
  normal: (_slug, entry, same) => entry && (normalizeEntry(entry as ChannelEntry, same) as StateEntry),
  defaults: {
    type: 'openai',
    enabled: true,
    key: '',
    key_mode: '',
    base_url: '',
    other: '',
    openai_organization: '',
    models: [],
    groups: ['default'],
    model_mapping: {},
    status_code_mapping: {},
    param_override: {},
    headers: {},
    proxy: '',
    setting: {},
    auto_ban: true,
    test_model: '',
    max_input_tokens: 0,
    priority: 0,
    weight: 0,
    tag: null,
    remark: '',
  },
  secrets(_key, entry) {
    const { key, headers, proxy } = entry as { key?: string; headers?: object | null; proxy?: string }
    return [
      ...(key ? [['key']] : []),
      ...Object.keys(headers ?? {}).map((name) => ['headers', name]),
      ...(hasPassword(proxy) ? [['proxy']] : []),
    ]
  },
  async read({ channels }) {
    const all = await channels.all()
    return {
      entries: new Map(all.map((channel) => [channel.slug, toEntry(channel) as StateEntry])),
      initial: new Map(),
    }
  },
  async writer(to) {
    const all = new Map((await to.within.channels.all()).map((channel) => [channel.slug, channel]))
    return (change) => writeOne(change, all.get(change.key), to)
  },
}

async function writeOne(
  { key: slug, target, fields, unresolved }: TargetedChange,
  before: ChannelWithKey | undefined,
  { within, settings, clock, caller }: SectionPorts,
): Promise<void> {
  const record = createRecordChannels({ clock })
  if (target === null) {
    if (!before) return
    await within.channels.deleteMany({ ids: [before.id] })
    return record(within, caller, 'delete', [before], [])
  }
  const entry = target as ChannelEntry
  const enabled = entry.enabled === undefined ? {} : { status: toStatus(entry.enabled) }
  if (!before) {
    const rows = buildChannelRows(
      parseInput(KeyedChannelForm, { name: slug, ...toForm(entry) }),
      clock,
      settings,
      'root',
    )
    if (rows.length > 1) fail('state.several_keys', { slug }, { field: 'key' })
    const [made] = await within.channels.insert([{ ...rows[0], ...enabled, slug }])
    const whole = (await within.channels.find(made!.id)) ?? fail('channel.missing')
    return record(within, caller, 'create', [], [whole])
  }
  // Headers that the file could not resolve are masked, as forms send them back: they stay, and go to no other address.
  const masked = unresolved.filter(([field]) => field === 'headers')
  const named = ['key', ...fields.map(({ field }) => field), ...masked.map(([field]) => field)]
  const changed = maskEntrySecrets(
    pickFields(entry, (field) => named.includes(field)),
    masked,
  )
  const { name, ...form } = toForm(changed as ChannelEntry, before)
  const change = {
    ...buildChannelPatch(before, parseInput(Patch, form), settings, 'root'),
    ...(name === undefined ? {} : { name: String(name) }),
  }
  // One that has switched itself off is on, as far as a file is concerned.
  const switched = entry.enabled !== undefined && entry.enabled !== (before.status !== CHANNEL_STATUS.disabled)
  const patch = switched ? { ...change, ...enabled } : change
  await within.channels.update(before.id, patch, { version: before.version, raises: isEdited(before, patch) })
  const whole = (await within.channels.find(before.id)) ?? fail('channel.missing')
  await record(within, caller, 'update', [before], [whole])
}

const toStatus = (enabled: boolean) => (enabled ? CHANNEL_STATUS.enabled : CHANNEL_STATUS.disabled)
