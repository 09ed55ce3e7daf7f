// Flags of `channels add` and `edit`, and the questions of their form.
import type { Channel } from '../../core/channels/channel.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate, joinList, type Words } from '../../core/errors.ts'
import { parseFlagValues, buildQuestion, toFlags, readValueOrInput } from './flags.ts'
import { UsageError } from '../failure.ts'
import { asUntranslatedText, type BilingualText } from '../language.ts'
import { buildFieldQuestions, formatFieldFlags } from '../nouns/field-questions.ts'
import type { MoneyView } from '../output/format.ts'
import type { FormAnswers, FormQuestion } from '../parts/form-state.ts'
import { words } from '../texts.ts'
import { channelForm, channelPatch, keyedChannelForm, keyedChannelPatch } from './forms.built.ts'

/** A kind of channel, as the server describes it. */
export type ChannelType = Awaited<ReturnType<WeirClient['channels']['types']>>[number]

/** Flags that fill in a field of the channel. */
export const channelFieldFlags = (
  form: typeof channelForm | typeof channelPatch,
  otherwise: Readonly<Record<string, BilingualText>> = {},
) => ({
  key: {
    flag: '--key <key>' as const,
    help: words("the provider's key; - reads it from standard input, several lines make several channels"),
  },
  ...toFlags(form, NOT_FLAGS, otherwise),
})

/** The type determines the other fields; `edit` does not change it. */
const NOT_FLAGS = ['type'] as const

type Flags = Partial<Record<string, string>>
type ChannelFormFields = Partial<NonNullable<Parameters<WeirClient['channels']['update']>[0]>>

/** Parses the given flags into fields of the endpoint. */
export async function parseChannelFields(
  flags: Flags,
  readInput: () => Promise<string>,
): Promise<Omit<ChannelFormFields, 'id'>> {
  const key = await readValueOrInput(flags.key, readInput)
  return { ...(key === undefined ? {} : { key }), ...parseFlagValues(channelPatch, flags, NOT_FLAGS) }
}

/** Finds the type by its id, name or number. @throws UsageError listing the types */
export function findChannelType(types: readonly ChannelType[], text: string): ChannelType {
  const searched = text.toLowerCase()
  const found = types.find(
    ({ type, id, name }) => String(type) === searched || id === searched || name.toLowerCase() === searched,
  )
  if (!found)
    throw new UsageError(
      fillTemplate(words('Unknown channel type {text}: choose one of {types}.'), {
        text,
        types: joinList(types.map(({ id }) => id)),
      }),
    )
  return found
}

/** Returns the questions for a new channel. Values given as flags are already filled in. */
export function addQuestions(
  types: readonly ChannelType[],
  flags: Flags,
  env: Record<string, string | undefined>,
): FormQuestion[] {
  const typeNamed = (id: string | undefined) => types.find((type) => type.id === id)
  return [
    {
      name: 'type',
      label: channelForm.type.label,
      kind: 'choice',
      choices: types
        .filter(({ retired }) => !retired)
        .map((type) => ({
          value: type.id,
          label: asUntranslatedText(type.name),
          hint:
            type.env && env[type.env]
              ? fillTemplate(words('{env} is set'), { env: type.env })
              : asUntranslatedText(type.base_url),
        })),
    },
    buildQuestion(channelForm, 'name', {
      fallback: ({ type }) => flags.name ?? typeNamed(type)?.name ?? '',
      check: requireText(words('a name')),
    }),
    buildQuestion(keyedChannelForm, 'key', {
      fallback: ({ type }) => flags.key ?? env[typeNamed(type)?.env ?? ''] ?? '',
      hint: ({ type }) => describeKey(typeNamed(type), flags.key, env),
      when: ({ type }) => typeNamed(type)?.needs_key !== false,
      check: (text) => (text ? undefined : words('This type needs a key')),
    }),
    buildQuestion(channelForm, 'base_url', {
      fallback: flags.base_url,
      hint: ({ type }) => baseUrlHint(typeNamed(type)),
      check: (text, { type }) =>
        text || typeNamed(type)?.base_url !== '' || type === 'sandbox'
          ? undefined
          : words('This type needs an API address'),
    }),
    buildQuestion(channelForm, 'models', {
      fallback: ({ type }) => flags.models ?? typeNamed(type)?.models.join(',') ?? '',
      hint: ({ type }) => {
        const usual = flags.models ?? typeNamed(type)?.models.slice(0, 4).join(', ')
        return fillTemplate(words('comma list; empty: {usual}…'), { usual: usual || words('none') })
      },
      check: requireText(words('at least one model')),
    }),
  ]
}

/** Describes the source of the key if the field stays empty, or the form of a key. */
function describeKey(
  type: ChannelType | undefined,
  flag: string | undefined,
  env: Record<string, string | undefined>,
): BilingualText {
  if (flag !== undefined) return words('empty: the one given with --key')
  if (type?.env !== undefined && env[type.env]) return fillTemplate(words('empty: the one in {env}'), { env: type.env })
  return asUntranslatedText(type?.fields.key?.placeholder ?? '')
}

const baseUrlHint = (type: ChannelType | undefined): BilingualText =>
  type?.base_url ? asUntranslatedText(type.base_url) : words('address of the provider')

/** Returns every field of a channel with its value, and a key that stays unchanged while empty. */
export function editQuestions(channel: Channel, money: MoneyView): FormQuestion[] {
  const [name, ...fields] = buildFieldQuestions(channelPatch, channel, { without: NOT_FLAGS, money })
  return [
    { ...name!, check: requireText(words('a name')) },
    buildQuestion(keyedChannelPatch, 'key', { hint: words('empty: stays as it is') }),
    ...fields,
  ]
}

/** Writes changed fields of a channel as the flags of `channels edit`. */
export const formatChannelFlags = ({ key, ...changed }: FormAnswers): string[] => [
  ...(key ? [`--key=${key}`] : []),
  ...formatFieldFlags(channelPatch, changed),
]

const requireText = (what: Words) => (text: string) =>
  text ? undefined : fillTemplate(words('Please enter {what}'), { what })
