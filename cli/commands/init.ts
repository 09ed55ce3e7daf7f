// `weir init`: sets Weir up without a browser, from nothing to a call that works.
import type { Channel } from '../../core/channels/channel.ts'
import { fullKey, type Token } from '../../core/tokens/token.ts'
import { placeFlags, publicAddress } from '../address.ts'
import { typeOf, type ChannelType } from '../channel-form.ts'
import { command, type Surroundings } from '../command.ts'
import type { Connection } from '../connect.ts'
import { UsageError } from '../failure.ts'
import { contradictions } from '../set-up-already.ts'
import {
  LATER,
  makeChannels,
  makePassword,
  SANDBOX,
  setUp,
  typesWithKey,
  wizardQuestions,
  type FirstChannel,
  type FirstRun,
  type Mode,
} from '../first-run.ts'
import { need, valueOrInput } from '../input.ts'
import { addressOptions, newDatabaseOption } from '../program.ts'
import { environmentLines, SHELLS, shellOf } from '../shell.ts'

const TOKEN_NAME = 'first token'

const options = {
  username: { flag: '--username <name>', help: 'administrator (otherwise root)' },
  password: {
    flag: '--password <password>',
    help: 'at least 8 characters; - reads it from standard input; without it one is asked for, or made and shown',
  },
  mode: {
    flag: '--mode <mode>',
    help: 'who uses it: others, only you, or a demo (otherwise external)',
    choices: ['external', 'self', 'demo'],
  },
  channel: {
    flag: '--channel <type>',
    help: 'type of the first channel, such as openai or sandbox; none for no channel',
  },
  key: {
    flag: '--key <key>',
    help: "the channel's key; - reads it from standard input (otherwise the provider's variable)",
  },
  yes: { flag: '--yes', help: 'accept the offered channel without asking' },
  ...addressOptions,
  ...newDatabaseOption,
} as const
type Options = { [K in Exclude<keyof typeof options, 'yes'>]?: string } & { yes?: boolean }

export const init = command({
  name: 'init',
  here: true,
  summary: 'Set Weir up without a browser: administrator, first channel, first token, and a call to try',
  details: 'Run it again at any time: a Weir that is set up stays as it is.',
  options,
  async run(context) {
    const { options, print, server, readInput } = context
    if (server !== undefined)
      throw new UsageError('init sets up the Weir on this machine and takes no --server (WEIR_SERVER).')
    if (options.password === '-' && options.key === '-')
      throw new UsageError('Only one of --password and --key can be read from standard input.')
    const given: Options = {
      ...options,
      password: await valueOrInput(options.password, readInput),
      key: await valueOrInput(options.key, readInput),
    }
    const connection = await context.connection()
    const { client: weir, via } = connection
    const { status: done, root_init: rootExists } = await weir.site.setupStatus()
    if (done) return stayAsItIs(context, connection, given)

    const types = await weir.channels.types()
    const { plan, generated } = await planOf(context, types, given, rootExists)
    await setUp(weir, plan)
    try {
      const channels = await makeChannels(weir, plan.channels)
      const token = await weir.tokens.create({ name: TOKEN_NAME, unlimited_quota: true })
      await report(context, connection, {
        plan,
        generated,
        channels,
        token,
        running: via === 'socket',
        offered: offeredTypes(types, context.env),
      })
    } catch (error) {
      const password = generated ? ` with the password ${plan.password}` : ''
      print.warn(`The administrator ${plan.username} was made${password}, but a later step failed.`)
      throw error
    }
  },
})

/** What will be done: from flags, else from answers, else from defaults. */
async function planOf(
  { ask, env, print }: Surroundings,
  types: readonly ChannelType[],
  given: Options,
  rootExists: boolean,
): Promise<{ plan: FirstRun; generated: boolean }> {
  const { username, password, mode, key } = given
  const channel =
    given.channel === undefined || given.channel === LATER ? given.channel : typeOf(types, given.channel).id
  const asking = ask.possible && !given.yes
  const questions = wizardQuestions(types, { username, password, mode, channel, key, rootExists }, env)
  const answers = asking && questions.length > 0 ? await ask.form('Set Weir up', questions, '--yes') : {}
  const chosen = channel ?? answers.channel
  const wanted =
    chosen === undefined ? (given.yes ? offeredTypes(types, env) : []) : chosen === LATER ? [] : [typeOf(types, chosen)]
  const channels = wanted.map((type): FirstChannel => {
    const channelKey = key ?? answers.key ?? (type.env ? env[type.env] : undefined) ?? ''
    if (type.needs_key && channelKey === '') need({ [`--key${type.env ? ` (or ${type.env})` : ''}`]: undefined })
    return { type, key: channelKey, base_url: answers.base_url ?? '' }
  })
  const chosenPassword = password ?? (answers.password || undefined)
  const generated = chosenPassword === undefined && !rootExists
  if (generated && print.quiet)
    throw new UsageError('--password must be given with --quiet: one that Weir makes would be shown to nobody.')
  return {
    plan: {
      username: username ?? answers.username ?? 'root',
      password: chosenPassword ?? makePassword(),
      mode: (mode ?? answers.mode ?? 'external') as Mode,
      channels,
    },
    generated,
  }
}

/** What init offers by itself: each provider with a key in the environment, else the sandbox. */
function offeredTypes(types: readonly ChannelType[], env: Surroundings['env']): ChannelType[] {
  const ready = typesWithKey(types, env)
  return ready.length > 0 ? ready : types.filter(({ id }) => id === SANDBOX)
}

interface Outcome {
  plan: FirstRun
  generated: boolean
  channels: Channel[]
  token: Token
  running: boolean
  offered: ChannelType[]
}

async function report(context: Surroundings, connection: Connection, outcome: Outcome): Promise<void> {
  const { print, ask, config, env } = context
  const { plan, generated, channels, token, running, offered } = outcome
  const address = await publicAddress(connection, context)
  const model = channels[0]?.models.split(',')[0]?.trim() || (await connection.client.channels.modelsEnabled())[0]
  const key = fullKey(token.key)
  const { paint } = print
  const serve = ['weir serve', ...placeFlags(config)].join(' ')
  const lines = [
    paint('Weir is set up.', 'good'),
    '',
    `  Administrator  ${plan.username}`,
    ...(generated ? [`  Password       ${paint(plan.password, 'strong')}   (shown only now)`] : []),
    `  Console        ${address}`,
    `  Channel        ${channels.map(({ name }) => name).join(', ') || 'none yet: weir channels add'}`,
    `  Token          ${paint(key, 'strong')}`,
    '',
    ...(running ? [] : [paint('Start it', 'strong'), '', `  ${serve}`, '']),
    paint('Try it', 'strong'),
    '',
    ...curl(address, key, model).map((line) => `  ${line}`),
    '',
    `${paint('For clients of OpenAI, Anthropic and Gemini', 'strong')} (another shell: weir tokens env ${token.id} --shell fish)`,
    '',
    ...environmentLines(shellOf(env), key, address).map((line) => `  ${line}`),
  ]
  await print.result(
    {
      already_set_up: false,
      username: plan.username,
      password: generated ? plan.password : null,
      mode: plan.mode,
      token_key: key,
      base_url: `${address}/v1`,
      console_url: address,
      model: model ?? null,
      channel: channels[0] ?? null,
      channels,
    },
    { human: (ask.possible ? ['', ...lines] : lines).join('\n'), bare: key },
  )
  if (channels.length === 0 && offered.length > 0) {
    const found = offered.map(({ id, env }) => (env ? `${id} (${env} is set)` : id)).join(', ')
    print.warn(`\nNo channel was made. Offered: ${found}. Make one with: weir channels add --type ${offered[0]?.id}`)
  }
}

const curl = (address: string, key: string, model = 'MODEL') => [
  `curl ${SHELLS.sh.quote(`${address}/v1/chat/completions`)} \\`,
  `  -H "Authorization: Bearer ${key}" \\`,
  '  -H "Content-Type: application/json" \\',
  `  -d ${SHELLS.sh.quote(`{"model": ${JSON.stringify(model)}, "messages": [{"role": "user", "content": "Hello"}]}`)}`,
]

/** Nothing changes; flags that ask for something else are an error, so that a script notices. */
async function stayAsItIs(context: Surroundings, connection: Connection, given: Options): Promise<void> {
  const problems = await contradictions(connection.client, given)
  if (problems.length > 0)
    throw new Error(`Weir is already set up, and not like this: ${problems.join('; ')}. Nothing was changed.`)
  const address = await publicAddress(connection, context)
  await context.print.result(
    { already_set_up: true, username: given.username ?? null, base_url: `${address}/v1`, console_url: address },
    {
      human: `Weir is already set up: nothing was changed.\n\n  Console  ${address}\n  Check    weir doctor`,
      bare: '',
    },
  )
}
