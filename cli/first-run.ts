// Setting Weir up from the terminal: what has to be known, in which order it is done, what comes of it.
import { randomInt } from 'node:crypto'
import type { Channel } from '../core/channels/channel.ts'
import type { ChannelType } from './channel-form.ts'
import type { WeirClient } from '../core/contracts.ts'
import { controlOf } from '../core/contract/control.ts'
import { SetupForm } from '../core/site/contract.ts'
import { questionOf } from './declared-flags.ts'
import type { Question } from './parts/form-state.ts'

export type Mode = 'external' | 'self' | 'demo'

/** A channel to make: its type and the key for it. */
export interface FirstChannel {
  type: ChannelType
  key: string
  base_url: string
}

export interface FirstRun {
  username: string
  password: string
  mode: Mode
  channels: FirstChannel[]
}

export const SANDBOX = 'sandbox'
export const LATER = 'none'
const PASSWORD_LENGTH = 16
// Without letters and digits that look alike: people type this from a screen.
const PASSWORD_CHARACTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password nobody has to think up. */
export const makePassword = (): string =>
  Array.from({ length: PASSWORD_LENGTH }, () => PASSWORD_CHARACTERS[randomInt(PASSWORD_CHARACTERS.length)]).join('')

/** Types whose key stands in the environment already. */
export const typesWithKey = (types: readonly ChannelType[], env: Record<string, string | undefined>): ChannelType[] =>
  types.filter((type) => type.env !== undefined && Boolean(env[type.env]) && !type.retired)

/** Makes the administrator and sets the mode of use. */
export const setUp = (weir: WeirClient, { username, password, mode }: FirstRun) =>
  weir.site.setup({
    username,
    password,
    confirmPassword: password,
    SelfUseModeEnabled: mode === 'self',
    DemoSiteEnabled: mode === 'demo',
  })

/** Makes the first channels, named after their providers and with the models these offer. */
export async function makeChannels(weir: WeirClient, channels: readonly FirstChannel[]): Promise<Channel[]> {
  const made: Channel[] = []
  for (const { type, key, base_url } of channels) {
    made.push(
      ...(await weir.channels.create({
        name: type.name,
        type: type.type,
        key,
        base_url,
        models: type.models.join(','),
      })),
    )
  }
  return made
}

interface Given {
  username?: string
  password?: string
  mode?: string
  channel?: string
  key?: string
}

/** What the wizard asks; flags that were given leave their question out. */
export function wizardQuestions(
  types: readonly ChannelType[],
  given: Given & { rootExists: boolean },
  env: Record<string, string | undefined>,
): Question[] {
  const asked = (question: Question) => given[question.name as keyof Given] === undefined
  return [...(given.rootExists ? [] : accountQuestions(given)), MODE, ...channelQuestions(types, given, env)].filter(
    asked,
  )
}

const { en: PASSWORD_HELP } = controlOf(SetupForm, 'password').help

const accountQuestions = (given: Given): Question[] => [
  questionOf(SetupForm, 'username', { fallback: 'root' }),
  questionOf(SetupForm, 'password', {
    hint: `${PASSWORD_HELP}; empty: one is made for you`,
    check: (text) => (text === '' || text.length >= 8 ? undefined : `${PASSWORD_HELP}, or none at all`),
  }),
  questionOf(SetupForm, 'confirmPassword', {
    when: ({ password }) => Boolean(password) && given.password === undefined,
    check: (text, { password }) => (text === password ? undefined : 'The two passwords do not match'),
  }),
]

const MODE: Question = {
  name: 'mode',
  label: 'Who will use it?',
  kind: 'choice',
  choices: [
    { value: 'external', label: 'Several people', hint: 'every model has a price' },
    { value: 'self', label: 'Only me', hint: 'models without a price are accepted' },
    { value: 'demo', label: 'A demo', hint: 'shows a badge' },
  ],
}

function channelQuestions(
  types: readonly ChannelType[],
  given: Given,
  env: Record<string, string | undefined>,
): Question[] {
  const chosen = (answer: string | undefined) => types.find(({ id }) => id === (given.channel ?? answer))
  const hasKey = (type: ChannelType | undefined) => Boolean(env[type?.env ?? ''])
  return [
    {
      name: 'channel',
      label: 'First channel',
      kind: 'choice',
      initial: typesWithKey(types, env)[0]?.id ?? SANDBOX,
      choices: channelChoices(types, env),
    },
    {
      name: 'key',
      label: 'Key',
      kind: 'secret',
      when: ({ channel }) => chosen(channel)?.needs_key === true && !hasKey(chosen(channel)),
      check: (text) => (text ? undefined : 'This provider needs a key; go back with Esc to choose another'),
    },
    {
      name: 'base_url',
      label: 'Base URL',
      kind: 'text',
      when: ({ channel }) => chosen(channel)?.base_url === '' && chosen(channel)?.id !== SANDBOX,
      check: (text) => (URL.canParse(text) ? undefined : 'Please enter an address like https://api.example.com'),
    },
  ]
}

/** Providers with a key first, then the sandbox, then the others. */
function channelChoices(types: readonly ChannelType[], env: Record<string, string | undefined>) {
  const ready = typesWithKey(types, env)
  const sandbox = types.filter(({ id }) => id === SANDBOX)
  const others = types.filter((type) => !ready.includes(type) && type.id !== SANDBOX && !type.retired)
  return [
    ...ready.map(({ id, name, env: variable }) => ({ value: id, label: name, hint: `${variable} is set` })),
    ...sandbox.map(({ id, name }) => ({ value: id, label: name, hint: 'answers by itself: no key, no cost' })),
    { value: LATER, label: 'Later', hint: 'weir channels add' },
    ...others.map(({ id, name }) => ({ value: id, label: name })),
  ]
}
