// One configured upstream: provider type, key, address, models, groups, priority and weight.
import { z } from 'zod'
import { isUrlWithProtocol, cleanBaseUrl } from '../contract/url.ts'
import { UnreadableFields } from '../contract/filter.ts'
import { declareShapeFields, field, type FieldDeclaration } from '../contract/field.ts'
import { declareListing, type ListOrder } from '../contract/page.ts'
import { RemarkText } from '../contract/remark.ts'
import { RowVersion } from '../contract/version.ts'
import { HANG_UP_MODES } from '../settings/hang-up.ts'
import { HeaderName, HeaderValue } from '../settings/headers.ts'
import { findRepeatedName, trimMemberNames } from '../dialects/json/json-text.ts'
import { WHOLE_TEXT_PLACE, parseJsonText } from '../dialects/requests/request-body.ts'
import { asGatewayError, fail } from '../errors.ts'
import { failWithCode } from '../settings/setting.ts'
import { channelFields } from './channel-fields.data.ts'
import { channelSettingFields } from './setting-fields.data.ts'
import { asObject, parseJson } from '../dialects/json/json-value.ts'

export const CHANNEL_STATUS = { enabled: 1, disabled: 2, auto_disabled: 3 } as const

/** The type of a channel without a type: OpenAI. */
export const DEFAULT_CHANNEL_TYPE = 1

/** How a channel's key is read: as one text, or as one key a line, used at random or each in its turn. */
export const CHANNEL_KEY_MODES = ['', 'random', 'turn'] as const

/** The text of a JSON object. Blanks around its names are removed; a repeated name is refused. */
const jsonText = z
  .string()
  .superRefine((text, context) => {
    try {
      if (text.trim() === '') return
      if (!asObject(parseJsonText(text))) fail('json.invalid', { at: WHOLE_TEXT_PLACE })
      const name = findRepeatedName(text)
      if (name !== undefined) fail('json.repeated_name', { name })
    } catch (error) {
      const { code, parameters } = asGatewayError(error)
      context.addIssue({ code: 'custom', message: code, params: parameters })
    }
  })
  .overwrite((text) => {
    const object = parseJsonObjectText(text)
    const trimmed = trimMemberNames(object)
    return trimmed === object ? text : JSON.stringify(trimmed)
  })

/** A map from status codes to status codes, as texts or numbers. */
const statusMapping = jsonText.refine(
  (text) => Object.entries(parseJsonObjectText(text)).flat().every(isStatus),
  failWithCode('channel.status_mapping', { example: '{"429": "503"}' }),
)

/** Texts that become part of a line in a request. Line breaks are refused, so that none can start another header. */
const line = z.string().regex(/^[^\x00-\x1f\x7f-\x9f]*$/, failWithCode('field.line'))
const headerText = z.string().regex(/^[\x20-\x7e]*$/, failWithCode('field.ascii'))
/** One key, or one a line. */
export const ChannelKeyText = z.string().regex(/^(?:[\t\x20-\x7e]|\r?\n)*$/, failWithCode('field.ascii'))

/** Seconds for every model of the channel, or by model; `*` is the value for all others. */
function limit(declaration: FieldDeclaration) {
  const seconds = field(z.number().min(0), declaration)
  return z.union([seconds, z.record(z.string(), seconds)])
}

const proxyAddress = z
  .string()
  .refine(
    (text) => text === '' || isUrlWithProtocol(text, channelSettingFields.proxy.protocols),
    failWithCode('field.proxy'),
  )

/** The members of a channel's `setting` that are declared, each of which may be left out. */
const settingMembers = {
  proxy: proxyAddress,
  headers: z.record(HeaderName, HeaderValue),
  head_timeout_seconds: limit(channelSettingFields.head_timeout_seconds),
  first_content_timeout_seconds: limit(channelSettingFields.first_content_timeout_seconds),
  idle_timeout_seconds: limit(channelSettingFields.idle_timeout_seconds),
  system_prompt: z.string(),
  system_prompt_override: z.boolean(),
  thinking_to_content: z.boolean(),
  force_format: z.boolean(),
  tidy_answers: z.boolean(),
  requested_model_in_answers: z.boolean(),
  pass_through_body_enabled: z.boolean(),
  mend_requests: z.boolean(),
  /** Comma list of flags and fields. */
  also_takes: line,
  hang_up: z.enum(HANG_UP_MODES),
  bills_cut_streams: z.boolean(),
  scheduled_tests: z.boolean(),
} satisfies Record<keyof typeof channelSettingFields, z.ZodType>

/** Keys of a channel's `setting` JSON. Unknown keys that are stored are kept; forms add none (`changes.ts`). */
export const ChannelSetting = z.looseObject(
  declareShapeFields(channelSettingFields, z.object(settingMembers).partial().shape),
)
export type ChannelSetting = z.infer<typeof ChannelSetting>

const settingText = jsonText.superRefine((text, context) => {
  for (const issue of ChannelSetting.safeParse(parseJsonObjectText(text)).error?.issues ?? [])
    context.addIssue({ ...issue })
})

/** Members of a channel's setting to replace; null removes one. */
export const SettingChange = jsonText.superRefine((text, context) => {
  const given = Object.entries(parseJsonObjectText(text)).filter(([, value]) => value !== null)
  for (const issue of ChannelSetting.safeParse(Object.fromEntries(given)).error?.issues ?? [])
    context.addIssue({ ...issue })
})

/** A channel's name, or none yet. */
export const ChannelName = line.trim().max(100)

/** The fields an operator fills in; comma lists and JSON texts as on the wire. */
const fields = declareShapeFields(
  { ...channelFields, setting: { ...channelFields.setting, inside: ChannelSetting } },
  {
    name: ChannelName.min(1),
    type: z.number().int().min(1),
    openai_organization: headerText,
    max_input_tokens: z.number().int().min(0),
    base_url: line
      .trim()
      .refine((url) => url === '' || isUrlWithProtocol(url, ['http', 'https']), failWithCode('field.address'))
      .transform(cleanBaseUrl),
    other: z.string(),
    /** Comma list of model names. */
    models: z.string(),
    /** Comma list of groups. */
    group: z.string(),
    model_mapping: jsonText,
    status_code_mapping: statusMapping,
    param_override: jsonText,
    /** JSON of ChannelSetting. */
    setting: settingText,
    auto_ban: z.number().int().min(0).max(1),
    test_model: line,
    priority: z.number().int().min(-999),
    weight: z.number().int().min(0),
    tag: line.trim().max(100).nullable(),
    remark: RemarkText,
    key_mode: z.enum(CHANNEL_KEY_MODES),
  },
)

/** A change of some fields. Without defaults: a field that is absent stays as it is. */
export const ChannelPatch = z.object(fields).partial()

/** A new channel; what is absent starts like this. */
export const ChannelForm = z.object({
  ...fields,
  openai_organization: fields.openai_organization.default(''),
  max_input_tokens: fields.max_input_tokens.default(0),
  base_url: fields.base_url.default(''),
  other: fields.other.default(''),
  models: fields.models.default(''),
  group: fields.group.default('default'),
  model_mapping: fields.model_mapping.default(''),
  status_code_mapping: fields.status_code_mapping.default(''),
  param_override: fields.param_override.default(''),
  setting: fields.setting.default(''),
  auto_ban: fields.auto_ban.default(1),
  test_model: fields.test_model.default(''),
  priority: fields.priority.default(0),
  weight: fields.weight.default(0),
  tag: fields.tag.default(null),
  remark: fields.remark.default(''),
  key_mode: fields.key_mode.default(''),
})
export type ChannelForm = z.infer<typeof ChannelForm>

/** The default order of channels. */
export const channelListOrder = declareListing({
  name: 'channels',
  columns: [
    'id',
    'name',
    'type',
    'status',
    'priority',
    'weight',
    'response_time',
    'used_quota',
    'created_time',
    'test_time',
  ],
  first: '-priority',
  sums: ['used_quota'],
})

export const BY_PRIORITY: ListOrder = { column: 'priority', descending: true }

/** A channel as it is stored and shown. Its schema has no rules of the form, so that every stored value can be read. */
export const Channel = z.object(
  declareShapeFields(channelFields, {
    name: z.string(),
    slug: z.string(),
    type: z.number(),
    openai_organization: z.string(),
    max_input_tokens: z.number(),
    base_url: z.string(),
    other: z.string(),
    models: z.string(),
    group: z.string(),
    model_mapping: z.string(),
    status_code_mapping: z.string(),
    param_override: z.string(),
    setting: z.string(),
    auto_ban: z.number(),
    test_model: z.string(),
    priority: z.number(),
    weight: z.number(),
    tag: z.string().nullable(),
    remark: z.string(),
    key_mode: z.string(),
    id: z.number(),
    status: z.number(),
    response_time: z.number(),
    balance: z.number(),
    used_quota: z.number(),
    /** JSON `{status_reason, status_time, keys_off}`. */
    other_info: z.string(),
    created_time: z.number(),
    balance_updated_time: z.number(),
    test_time: z.number(),
    address_by: z.string(),
    version: RowVersion,
    unreadable: UnreadableFields,
  }),
)
z.globalRegistry.add(Channel, { id: 'Channel' })
/** A channel without its key, as replies have it. */
export type Channel = z.infer<typeof Channel>

/** All fields of a channel that forms send: the key, and the list of groups in addition to its text. */
export const ChannelRow = Channel.extend({ key: z.string(), groups: z.unknown() })

/** A channel with its upstream secret, for calls only; never in a reply. */
export type ChannelWithKey = Channel & { key: string }

/** The person who last set a channel's address, proxy or type, or a key that contains an address. */
export type AddressSetter = 'root' | 'admin'

/** Must the address of each request be checked when its connection is opened? */
export const requiresAddressCheck = ({ address_by }: Pick<Channel, 'address_by'>): boolean => address_by !== 'root'

/** Parses a comma list into distinct names without blanks. */
export const parseNameList = (commaList: string): string[] => [
  ...new Set(
    commaList
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]

/** Returns the last reported balance in dollars of an enabled channel; null if it reported none. */
export const getKnownBalance = ({
  status,
  balance,
  balance_updated_time,
}: Pick<Channel, 'status' | 'balance' | 'balance_updated_time'>): number | null =>
  status === CHANNEL_STATUS.enabled && balance_updated_time > 0 ? balance : null

/** A JSON object kept as text; blank or unreadable text is an empty object. */
export function parseJsonObjectText(text: string | null | undefined): Record<string, unknown> {
  return asObject(parseJson(text ?? '')) ?? {}
}

/** Returns the members of a JSON object whose values are texts. */
export const parseNamedTexts = (text: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseJsonObjectText(text)).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )

/** An HTTP status, as a number or its text. */
const isStatus = (value: unknown): boolean => /^[1-5]\d\d$/.test(String(value))

/** Returns the time limit of a channel for a model, in ms; undefined if the channel sets none. */
export function getTimeLimitMs(limit: number | Record<string, number> | undefined, model: string): number | undefined {
  if (limit === undefined) return undefined
  const named = (name: string) => (typeof limit === 'object' && Object.hasOwn(limit, name) ? limit[name] : undefined)
  const seconds = typeof limit === 'number' ? limit : (named(model) ?? named('*'))
  return seconds === undefined ? undefined : seconds * 1000
}
