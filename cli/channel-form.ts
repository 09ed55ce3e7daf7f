// A channel as an operator fills it in: the flags of `channels add` and `edit`, and the questions of the form.
import { ChannelForm, type Channel } from '../core/channels/channel.ts'
import type { WeirClient } from '../core/contracts.ts'
import { flagsOf, valuesOf } from './declared-flags.ts'
import { UsageError } from './failure.ts'
import { valueOrInput, wholeNumber } from './input.ts'
import type { Question } from './parts/form-state.ts'

/** A kind of channel, as the server describes it. */
export type ChannelType = Awaited<ReturnType<WeirClient['channels']['types']>>[number]

/** Flags that fill in a field of the channel. */
export const channelFlags = {
  name: { flag: '--name <text>', help: 'name of the channel (otherwise the name of its type)' },
  key: {
    flag: '--key <key>',
    help: "the provider's key; - reads it from standard input, several lines make several channels",
  },
  keyMode: {
    flag: '--key-mode <mode>',
    help: 'several keys, one a line, in one channel: used at random or in turn (otherwise one: the key is one text)',
    choices: ['one', 'random', 'turn'],
  },
  baseUrl: { flag: '--base-url <url>', help: "base URL (otherwise the type's own)" },
  models: { flag: '--models <list>', help: "comma list of models (otherwise the type's own)" },
  group: { flag: '--group <list>', help: 'comma list of groups that may use it (otherwise default)' },
  priority: { flag: '--priority <number>', help: 'higher ones are tried first' },
  weight: { flag: '--weight <number>', help: 'share among channels of one priority' },
  modelMapping: { flag: '--model-mapping <json>', help: 'JSON: asked model to sent model' },
  paramOverride: { flag: '--param-override <json>', help: 'JSON: fields set in every request body' },
  statusCodeMapping: { flag: '--status-code-mapping <json>', help: 'JSON: answered status to shown status' },
  setting: { flag: '--setting <json>', help: 'JSON of further settings of the channel' },
  testModel: { flag: '--test-model <name>', help: 'model for tests (otherwise the first)' },
  tag: { flag: '--tag <text>', help: 'tag, to handle several together' },
  other: { flag: '--other <text>', help: "the type's further field, such as an API version or region" },
  organization: { flag: '--organization <id>', help: 'organization header for OpenAI' },
  autoBan: { flag: '--auto-ban <yes|no>', help: 'may failures switch it off?', choices: ['yes', 'no'] },
  ...flagsOf(ChannelForm, 'routing'),
} as const

type Flags = { [K in keyof typeof channelFlags]?: string }
type Fields = Partial<NonNullable<Parameters<WeirClient['channels']['update']>[0]>>

/** The given flags as fields of the endpoint. */
export async function fieldsOf(flags: Flags, readInput: () => Promise<string>): Promise<Omit<Fields, 'id'>> {
  const number = (flag: string, text: string | undefined) => (text === undefined ? undefined : wholeNumber(flag, text))
  const fields = {
    name: flags.name,
    key: await valueOrInput(flags.key, readInput),
    key_mode: flags.keyMode === undefined ? undefined : keyMode(flags.keyMode),
    base_url: flags.baseUrl,
    models: flags.models,
    group: flags.group,
    priority: number('--priority', flags.priority),
    weight: number('--weight', flags.weight),
    model_mapping: flags.modelMapping,
    param_override: flags.paramOverride,
    status_code_mapping: flags.statusCodeMapping,
    setting: flags.setting,
    test_model: flags.testModel,
    tag: flags.tag,
    other: flags.other,
    openai_organization: flags.organization,
    auto_ban: flags.autoBan === undefined ? undefined : flags.autoBan === 'yes' ? 1 : 0,
    ...valuesOf(ChannelForm, 'routing', flags),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The mode as the endpoint spells it. */
const keyMode = (word: string): Channel['key_mode'] => (word === 'random' || word === 'turn' ? word : '')

/** The type by its id, name or number. @throws UsageError naming what there is */
export function typeOf(types: readonly ChannelType[], text: string): ChannelType {
  const wanted = text.toLowerCase()
  const found = types.find(
    ({ type, id, name }) => String(type) === wanted || id === wanted || name.toLowerCase() === wanted,
  )
  if (!found)
    throw new UsageError(`There is no channel type ${text}: choose one of ${types.map(({ id }) => id).join(', ')}.`)
  return found
}

/** The questions for a new channel; what flags gave already stands in the fields. */
export function addQuestions(
  types: readonly ChannelType[],
  flags: Flags,
  env: Record<string, string | undefined>,
): Question[] {
  const typeNamed = (id: string | undefined) => types.find((type) => type.id === id)
  return [
    {
      name: 'type',
      label: 'Type',
      kind: 'choice',
      choices: types
        .filter(({ retired }) => !retired)
        .map((type) => ({
          value: type.id,
          label: type.name,
          hint: type.env && env[type.env] ? `${type.env} is set` : type.base_url,
        })),
    },
    {
      name: 'name',
      label: 'Name',
      kind: 'text',
      fallback: ({ type }) => flags.name ?? typeNamed(type)?.name ?? '',
      check: (text) => (text ? undefined : 'Please enter a name'),
    },
    {
      name: 'key',
      label: 'Key',
      kind: 'secret',
      fallback: ({ type }) => flags.key ?? env[typeNamed(type)?.env ?? ''] ?? '',
      hint: ({ type }) => keyHint(typeNamed(type), flags.key, env),
      when: ({ type }) => typeNamed(type)?.needs_key !== false,
      check: (text) => (text ? undefined : 'This type needs a key'),
    },
    {
      name: 'base_url',
      label: 'Base URL',
      kind: 'text',
      fallback: flags.baseUrl,
      hint: ({ type }) => typeNamed(type)?.base_url || 'where the provider is',
      check: (text, { type }) =>
        text || typeNamed(type)?.base_url !== '' || type === 'sandbox' ? undefined : 'This type needs a base URL',
    },
    {
      name: 'models',
      label: 'Models',
      kind: 'text',
      fallback: ({ type }) => flags.models ?? typeNamed(type)?.models.join(',') ?? '',
      hint: ({ type }) =>
        `comma list; empty: ${flags.models ?? (typeNamed(type)?.models.slice(0, 4).join(', ') || 'none')}…`,
      check: (text) => (text ? undefined : 'Please enter at least one model'),
    },
  ]
}

/** Where an empty key field gets its key from, or what a key looks like. */
function keyHint(
  type: ChannelType | undefined,
  flag: string | undefined,
  env: Record<string, string | undefined>,
): string {
  if (flag !== undefined) return 'empty: the one given with --key'
  if (type?.env !== undefined && env[type.env]) return `empty: the one in ${type.env}`
  return type?.fields.key?.placeholder ?? ''
}

/** The questions for a change of a channel: its fields as they are, and a key that stays while empty. */
export function editQuestions(channel: Channel): Question[] {
  return [
    {
      name: 'name',
      label: 'Name',
      kind: 'text',
      initial: channel.name,
      check: (text) => (text ? undefined : 'Please enter a name'),
    },
    { name: 'key', label: 'Key', kind: 'secret', hint: 'empty: stays as it is' },
    { name: 'base_url', label: 'Base URL', kind: 'text', initial: channel.base_url, hint: "empty: the type's own" },
    { name: 'models', label: 'Models', kind: 'text', initial: channel.models, hint: 'comma list' },
    { name: 'group', label: 'Groups', kind: 'text', initial: channel.group, hint: 'comma list' },
  ]
}
