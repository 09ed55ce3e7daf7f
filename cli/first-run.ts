// Setting Weir up from the terminal: what has to be known, in which order it is done, what comes of it.
import { randomInt } from 'node:crypto'
import type { Channel } from '../core/channels/channel.ts'
import type { ChannelType } from './channel-form.ts'
import type { WeirClient } from '../core/contracts.ts'
import { getControl } from '../core/contract/control.ts'
import { SetupForm } from '../core/site/contract.ts'
import { fillTemplate, words, type Words } from '../core/errors.ts'
import { asData } from './language.ts'
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

const { help: PASSWORD_HELP } = getControl(SetupForm, 'password')

const accountQuestions = (given: Given): Question[] => [
  questionOf(SetupForm, 'username', { fallback: 'root' }),
  questionOf(SetupForm, 'password', {
    hint: fillTemplate(words('{help}; empty: one is made for you', '{help}；留空则自动生成'), { help: PASSWORD_HELP }),
    check: (text) =>
      text === '' || text.length >= 8
        ? undefined
        : fillTemplate(words('{help}, or none at all', '{help}，或留空'), { help: PASSWORD_HELP }),
  }),
  questionOf(SetupForm, 'confirmPassword', {
    when: ({ password }) => Boolean(password) && given.password === undefined,
    check: (text, { password }) =>
      text === password ? undefined : words('The two passwords do not match', '两次密码不一致'),
  }),
]

export const MODES: Readonly<Record<Mode, Words>> = {
  external: words('Several people', '多人'),
  self: words('Only me', '仅自己'),
  demo: words('A demo', '演示'),
}

const MODE: Question = {
  name: 'mode',
  label: words('Who will use it?', '谁来使用？'),
  kind: 'choice',
  choices: [
    { value: 'external', label: MODES.external, hint: words('every model has a price', '每个模型都须有价格') },
    { value: 'self', label: MODES.self, hint: words('models without a price are accepted', '接受没有价格的模型') },
    { value: 'demo', label: MODES.demo, hint: words('shows a badge', '显示演示标记') },
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
      label: words('First channel', '首个渠道'),
      kind: 'choice',
      initial: typesWithKey(types, env)[0]?.id ?? SANDBOX,
      choices: channelChoices(types, env),
    },
    {
      name: 'key',
      label: words('Key', '密钥'),
      kind: 'secret',
      when: ({ channel }) => chosen(channel)?.needs_key === true && !hasKey(chosen(channel)),
      check: (text) =>
        text
          ? undefined
          : words(
              'This provider needs a key; go back with Esc to choose another',
              '此服务商需要密钥；按 Esc 返回可另选',
            ),
    },
    {
      name: 'base_url',
      label: words('Base URL', '接口地址'),
      kind: 'text',
      when: ({ channel }) => chosen(channel)?.base_url === '' && chosen(channel)?.id !== SANDBOX,
      check: (text) =>
        URL.canParse(text)
          ? undefined
          : words('Please enter an address like https://api.example.com', '请输入地址，如 https://api.example.com'),
    },
  ]
}

/** Providers with a key first, then the sandbox, then the others. */
function channelChoices(types: readonly ChannelType[], env: Record<string, string | undefined>) {
  const ready = typesWithKey(types, env)
  const sandbox = types.filter(({ id }) => id === SANDBOX)
  const others = types.filter((type) => !ready.includes(type) && type.id !== SANDBOX && !type.retired)
  return [
    ...ready.map(({ id, name, env: variable }) => ({
      value: id,
      label: asData(name),
      hint: words(`${variable} is set`, `已设置 ${variable}`),
    })),
    ...sandbox.map(({ id, name }) => ({
      value: id,
      label: asData(name),
      hint: words('answers by itself: no key, no cost', '自行应答：无需密钥，不产生费用'),
    })),
    { value: LATER, label: words('Later', '稍后'), hint: asData('weir channels add') },
    ...others.map(({ id, name }) => ({ value: id, label: asData(name) })),
  ]
}
