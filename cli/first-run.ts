// The setup of Weir from the terminal: its questions, its steps and its result.
import { randomInt } from 'node:crypto'
import path from 'node:path'
import type { Channel } from '../core/channels/channel.ts'
import { formatDatabasePlace, type Config } from '../core/config.ts'
import type { WeirClient } from '../core/contracts.ts'
import { fillTemplate, GatewayError, type Words } from '../core/errors.ts'
import { detectShell, buildEnvironmentLines, SHELL_SYNTAXES } from '../core/tokens/shell.ts'
import { toFullKey, type Token } from '../core/tokens/token.ts'
import { USER_ROLE } from '../core/users/user.ts'
import { placeFlags, getPublicAddress } from './connection/address.ts'
import type { ChannelType } from './input/channel-form.ts'
import type { CommandEnvironment } from './command.ts'
import type { GatewayConnection } from './connection/connect.ts'
import { GatewayRefusal } from './failure.ts'
import { buildQuestion } from './input/flags.ts'
import { asUntranslatedText, colorizeTexts, concatTexts, type BilingualText } from './language.ts'
import type { FormQuestion } from './parts/form-state.ts'
import { words } from './texts.ts'
import { flag, object, text, type OutputView, word } from './output/view.ts'
import { setupForm } from './input/forms.built.ts'

export type UsageMode = 'external' | 'self' | 'demo'

/** A channel to create: its type and the key for it. */
export interface FirstChannel {
  type: ChannelType
  key: string
  base_url: string
}

export interface FirstRun {
  username: string
  password: string
  mode: UsageMode
  channels: FirstChannel[]
}

export const SANDBOX_CHOICE = 'sandbox'
export const LATER_CHOICE = 'none'
const PASSWORD_LENGTH = 16
// Excludes letters and digits that look alike, because people type this from a screen.
const PASSWORD_CHARACTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Generates a password. */
export const generatePassword = (): string =>
  Array.from({ length: PASSWORD_LENGTH }, () => PASSWORD_CHARACTERS[randomInt(PASSWORD_CHARACTERS.length)]).join('')

/** Returns the types whose key is set in the environment. */
export const listTypesWithKey = (
  types: readonly ChannelType[],
  env: Record<string, string | undefined>,
): ChannelType[] => types.filter((type) => type.env !== undefined && Boolean(env[type.env]) && !type.retired)

/** Creates the administrator and sets the mode of use. */
export const setUpGateway = (weir: WeirClient, { username, password, mode }: FirstRun) =>
  weir.site.setup({
    username,
    password,
    confirmPassword: password,
    SelfUseModeEnabled: mode === 'self',
    DemoSiteEnabled: mode === 'demo',
  })

/** Creates the first channels, named after their providers and with the models these offer. */
export async function createFirstChannels(weir: WeirClient, channels: readonly FirstChannel[]): Promise<Channel[]> {
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

interface FirstRunFlags {
  username?: string
  password?: string
  mode?: string
  channel?: string
  key?: string
}

/** Returns the questions of the wizard; given flags leave their question out. */
export function buildWizardQuestions(
  types: readonly ChannelType[],
  given: FirstRunFlags & { rootExists: boolean },
  env: Record<string, string | undefined>,
): FormQuestion[] {
  const isOpen = (question: FormQuestion) => given[question.name as keyof FirstRunFlags] === undefined
  return [...(given.rootExists ? [] : accountQuestions(given)), MODE, ...channelQuestions(types, given, env)].filter(
    isOpen,
  )
}

const { help: PASSWORD_HELP } = setupForm.password

const accountQuestions = (given: FirstRunFlags): FormQuestion[] => [
  buildQuestion(setupForm, 'username', { fallback: 'root' }),
  buildQuestion(setupForm, 'password', {
    hint: fillTemplate(words('{help}; empty: one is made for you'), { help: PASSWORD_HELP }),
    check: (text) =>
      text === '' || text.length >= 8
        ? undefined
        : fillTemplate(words('{help}, or none at all'), { help: PASSWORD_HELP }),
  }),
  buildQuestion(setupForm, 'confirmPassword', {
    when: ({ password }) => Boolean(password) && given.password === undefined,
    check: (text, { password }) => (text === password ? undefined : words('The two passwords do not match')),
  }),
]

export const MODES: Readonly<Record<UsageMode, Words>> = {
  external: words('Several people'),
  self: words('Only me'),
  demo: words('A demo'),
}

const MODE: FormQuestion = {
  name: 'mode',
  label: words('Who will use it?'),
  kind: 'choice',
  choices: [
    { value: 'external', label: MODES.external, hint: words('every model has a price') },
    { value: 'self', label: MODES.self, hint: words('models without a price are accepted') },
    { value: 'demo', label: MODES.demo, hint: words('shows a badge') },
  ],
}

function channelQuestions(
  types: readonly ChannelType[],
  given: FirstRunFlags,
  env: Record<string, string | undefined>,
): FormQuestion[] {
  const findChosen = (answer: string | undefined) => types.find(({ id }) => id === (given.channel ?? answer))
  const hasKey = (type: ChannelType | undefined) => Boolean(env[type?.env ?? ''])
  return [
    {
      name: 'channel',
      label: words('First channel'),
      kind: 'choice',
      initial: listTypesWithKey(types, env)[0]?.id ?? SANDBOX_CHOICE,
      choices: channelChoices(types, env),
    },
    {
      name: 'key',
      label: words('Key'),
      kind: 'secret',
      when: ({ channel }) => findChosen(channel)?.needs_key === true && !hasKey(findChosen(channel)),
      check: (text) => (text ? undefined : words('This provider needs a key; go back with Esc to choose another')),
    },
    {
      name: 'base_url',
      label: words('Base URL'),
      kind: 'text',
      when: ({ channel }) => findChosen(channel)?.base_url === '' && findChosen(channel)?.id !== SANDBOX_CHOICE,
      check: (text) => (URL.canParse(text) ? undefined : words('Please enter an address like https://api.example.com')),
    },
  ]
}

/** Lists providers with a key first, then the sandbox, then the others. */
function channelChoices(types: readonly ChannelType[], env: Record<string, string | undefined>) {
  const ready = listTypesWithKey(types, env)
  const sandbox = types.filter(({ id }) => id === SANDBOX_CHOICE)
  const others = types.filter((type) => !ready.includes(type) && type.id !== SANDBOX_CHOICE && !type.retired)
  return [
    ...ready.map(({ id, name, env: variable }) => ({
      value: id,
      label: asUntranslatedText(name),
      hint: fillTemplate(words('{variable} is set'), { variable: variable ?? '' }),
    })),
    ...sandbox.map(({ id, name }) => ({
      value: id,
      label: asUntranslatedText(name),
      hint: words('simulated provider: no key, no cost'),
    })),
    { value: LATER_CHOICE, label: words('Later'), hint: asUntranslatedText('weir channels add') },
    ...others.map(({ id, name }) => ({ value: id, label: asUntranslatedText(name) })),
  ]
}

// The result of `weir init`: the sign-in data, how to start, and a call to try.

interface SetUp {
  /** true if it was set up before; nothing was changed. */
  done_before: boolean
  username?: string
  /** The generated password. */
  password?: string | null
  mode?: UsageMode
  key?: string
  address: string
  /** The location of the database. */
  data: string
  model?: string
  channels: Channel[]
}

export const setUpView: OutputView<SetUp> = {
  already_set_up: flag(words('ALREADY SET UP'), 1, ({ done_before }) => done_before),
  username: text(words('ADMINISTRATOR'), 1, ({ username }) => username),
  password: text(words('PASSWORD'), 1, ({ password }) => password),
  mode: word(words('MODE'), 1, MODES, ({ mode }) => mode),
  token_key: text(words('TOKEN'), 1, ({ key }) => key),
  base_url: text(words('API'), 1, ({ address }) => `${address}/v1`),
  console_url: text(words('CONSOLE'), 1, ({ address }) => address),
  data: text(words('DATA'), 1, ({ data }) => data),
  model: text(words('MODEL'), 1, ({ model }) => model),
  channels: object(words('CHANNELS'), ({ channels }) => channels.map(({ id, name }) => ({ id, name }))),
}

interface FirstRunOutcome {
  plan: FirstRun
  generated: boolean
  channels: Channel[]
  token: Token
  running: boolean
  offered: ChannelType[]
}

/** Prints the whole result. */
export async function reportSetUp(
  context: CommandEnvironment,
  connection: GatewayConnection,
  outcome: FirstRunOutcome,
): Promise<void> {
  const { print, ask, config, env } = context
  const { plan, generated, channels, token, running, offered } = outcome
  const address = await getPublicAddress(connection, context)
  const data = formatDataPlace(config)
  const model = channels[0]?.models.split(',')[0]?.trim() || (await connection.client.channels.modelsEnabled())[0]
  const key = toFullKey(token.key)
  const { paint } = print
  const serve = ['weir serve', ...placeFlags(config)].join(' ')
  const names = channels.map(({ name }) => name).join(', ')
  const password = paint(plan.password, 'strong')
  const heading = (text: BilingualText) => colorizeTexts(print, text, 'strong')
  const lines = [
    ...(ask.possible ? [asUntranslatedText('')] : []),
    colorizeTexts(print, words('Weir is set up.'), 'good'),
    asUntranslatedText(''),
    fillTemplate(words('  Administrator  {username}'), { username: plan.username }),
    ...(generated ? [fillTemplate(words('  Password       {password}   (shown only now)'), { password })] : []),
    fillTemplate(words('  Console        {address}'), { address }),
    fillTemplate(words('  Data           {data}'), { data }),
    fillTemplate(words('  Channel        {names}'), { names: names || words('none yet: weir channels add') }),
    fillTemplate(words('  Token          {key}'), { key: paint(key, 'strong') }),
    asUntranslatedText(''),
    ...(running ? [] : [heading(words('Start it')), asUntranslatedText(`\n  ${serve}\n`)]),
    heading(words('Try it')),
    asUntranslatedText(''),
    ...curl(address, key, model).map((line) => asUntranslatedText(`  ${line}`)),
    asUntranslatedText(''),
    concatTexts(
      [
        heading(words('For clients of OpenAI, Anthropic and Gemini')),
        fillTemplate(words('(another shell: weir tokens env {id} --shell fish)'), { id: token.id }),
      ],
      words(' '),
    ),
    asUntranslatedText(''),
    ...buildEnvironmentLines(detectShell(env), key, address).map((line) => asUntranslatedText(`  ${line}`)),
  ]
  const { username, mode } = plan
  await print.done(
    {
      done_before: false,
      username,
      password: generated ? plan.password : null,
      mode,
      key,
      address,
      data,
      model,
      channels,
    },
    setUpView,
    { human: concatTexts(lines), quietOutput: key },
  )
  if (channels.length === 0 && offered.length > 0) {
    const found = concatTexts(
      offered.map(({ id, env }) =>
        env ? fillTemplate(words('{id} ({env} is set)'), { id, env }) : asUntranslatedText(id),
      ),
      words(', ', { context: 'list' }),
    )
    const add = `weir channels add --type ${offered[0]?.id}`
    print.warn(fillTemplate(words('\nNo channel was made. Offered: {found}. Make one with: {add}'), { found, add }))
  }
}

/** Returns where the data is: the folder of SQLite, or the address of PostgreSQL without its password. */
export const formatDataPlace = ({ data, database }: Pick<Config, 'data' | 'database'>): string =>
  formatDatabasePlace(database === undefined ? { folder: path.resolve(data) } : { database })

const curl = (address: string, key: string, model = 'MODEL') => [
  `curl ${SHELL_SYNTAXES.sh.quote(`${address}/v1/chat/completions`)} \\`,
  `  -H "Authorization: Bearer ${key}" \\`,
  '  -H "Content-Type: application/json" \\',
  `  -d ${SHELL_SYNTAXES.sh.quote(`{"model": ${JSON.stringify(model)}, "messages": [{"role": "user", "content": "Hello"}]}`)}`,
]

// Comparison of an existing setup with the request of `weir init`.

interface SetUpRequest {
  username?: string
  password?: string
  mode?: string
}

/** Returns the differences, one clause each; empty if the whole request is fulfilled. */
export async function listContradictions(
  weir: WeirClient,
  { username, password, mode }: SetUpRequest,
): Promise<Words[]> {
  const name = username ?? 'root'
  const problems: Words[] = []
  if (username !== undefined && !(await isRoot(weir, username)))
    problems.push(fillTemplate(words('its super administrator is not {username}'), { username }))
  else if (password !== undefined && !(await canSignIn(weir, name, password)))
    problems.push(fillTemplate(words('{name} has another password'), { name }))
  const known = mode === undefined ? undefined : await readMode(weir)
  if (mode !== known) problems.push(fillTemplate(words('its mode is {known}'), { known: known ?? '' }))
  return problems
}

async function isRoot(weir: WeirClient, username: string): Promise<boolean> {
  const { items } = await weir.users.search({ keyword: username, page_size: 100 })
  return items.some((user) => user.username === username && user.role === USER_ROLE.root && !user.DeletedAt)
}

// A refusal for any reason other than the password (such as a disabled password login) does not prove it wrong.
async function canSignIn(weir: WeirClient, username: string, password: string): Promise<boolean> {
  try {
    await weir.auth.login({ username, password })
    return true
  } catch (error) {
    if (error instanceof GatewayError || error instanceof GatewayRefusal) return error.code !== 'login.failed'
    throw error
  }
}

async function readMode(weir: WeirClient): Promise<string> {
  const { self_use_mode_enabled, demo_site_enabled } = await weir.site.status()
  if (demo_site_enabled) return 'demo'
  return self_use_mode_enabled ? 'self' : 'external'
}
