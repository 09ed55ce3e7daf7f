// `weir init`: sets Weir up without a browser, from nothing to a call that works.
import { fillTemplate } from '../../core/errors.ts'
import { getPublicAddress } from '../connection/address.ts'
import { findChannelType, type ChannelType } from '../input/channel-form.ts'
import { command, type CommandEnvironment } from '../command.ts'
import type { GatewayConnection } from '../connection/connect.ts'
import { GatewayRefusal, UsageError } from '../failure.ts'
import type { FirstChannel, FirstRun, UsageMode } from '../first-run.ts'
import {
  listContradictions,
  formatDataPlace,
  LATER_CHOICE,
  createFirstChannels,
  generatePassword,
  reportSetUp,
  SANDBOX_CHOICE,
  setUpGateway,
  setUpView,
  listTypesWithKey,
  buildWizardQuestions,
} from '../first-run.ts'
import { requireFlags, readValueOrInput } from '../input/flags.ts'
import { asUntranslatedText, concatTexts } from '../language.ts'
import { listenAddressOptions, newDatabaseOption } from '../program.ts'
import { words } from '../texts.ts'

const TOKEN_NAME = 'first token'

const options = {
  username: { flag: '--username <name>', help: words('administrator (default: root)') },
  password: {
    flag: '--password <password>',
    help: words(
      'at least 8 characters; - reads it from standard input; without it one is asked for, or made and shown',
    ),
  },
  mode: {
    flag: '--mode <mode>',
    help: words('who uses it: others, only you, or a demo (default: external)'),
    choices: ['external', 'self', 'demo'],
  },
  channel: {
    flag: '--type <type>',
    former: ['--channel'],
    help: words('type of the first channel, such as openai or sandbox; none for no channel'),
  },
  key: {
    flag: '--key <key>',
    help: words("the channel's key; - reads it from standard input (default: the provider's variable)"),
  },
  yes: { flag: '--yes', help: words('accept the offered channel without asking') },
  ...listenAddressOptions,
  ...newDatabaseOption,
} as const
type InitOptions = { [K in Exclude<keyof typeof options, 'yes'>]?: string } & { yes?: boolean }

const NOBODY_SEES = words('--password is required with --quiet: a generated one would not be shown.')

export const initCommand = command({
  name: 'init',
  here: true,
  output: { view: setUpView, many: false },
  summary: words('Set Weir up without a browser: administrator, first channel, first token, and a call to try'),
  details: concatTexts([
    words('Run it again at any time: a Weir that is set up stays as it is.'),
    asUntranslatedText(''),
    words('Examples:'),
    asUntranslatedText('  weir init'),
    asUntranslatedText('  weir init --yes --type openai --key - < key.txt'),
  ]),
  options,
  async run(context) {
    const { options, print, server, readInput } = context
    if (server !== undefined)
      throw new UsageError(words('init sets up the Weir on this machine and does not accept --server (WEIR_SERVER).'))
    if (options.password === '-' && options.key === '-')
      throw new UsageError(words('Only one of --password and --key can be read from standard input.'))
    const given: InitOptions = {
      ...options,
      password: await readValueOrInput(options.password, readInput),
      key: await readValueOrInput(options.key, readInput),
    }
    const connection = await context.connection()
    const { client: weir, via } = connection
    const { status: done, root_init: rootExists } = await weir.site.setupStatus()
    if (done) return checkExistingSetUp(context, connection, given)

    const types = await weir.channels.types()
    const { plan, generated } = await buildPlan(context, types, given, rootExists)
    await setUpGateway(weir, plan)
    try {
      const channels = await createFirstChannels(weir, plan.channels)
      const token = await weir.tokens.create({ name: TOKEN_NAME, unlimited_quota: true })
      await reportSetUp(context, connection, {
        plan,
        generated,
        channels,
        token,
        running: via === 'socket',
        offered: pickOfferedTypes(types, context.env),
      })
    } catch (error) {
      const { username, password } = plan
      print.warn(
        fillTemplate(words('The administrator {username} was made{generated}, but a later step failed.'), {
          username,
          generated: generated ? fillTemplate(words(' with the password {password}'), { password }) : '',
        }),
      )
      throw error
    }
  },
})

/** Builds the plan from flags, otherwise from answers, otherwise from defaults. */
async function buildPlan(
  { ask, env, print }: CommandEnvironment,
  types: readonly ChannelType[],
  given: InitOptions,
  rootExists: boolean,
): Promise<{ plan: FirstRun; generated: boolean }> {
  const { username, password, mode, key } = given
  const channel =
    given.channel === undefined || given.channel === LATER_CHOICE
      ? given.channel
      : findChannelType(types, given.channel).id
  const asking = ask.possible && !given.yes
  const questions = buildWizardQuestions(types, { username, password, mode, channel, key, rootExists }, env)
  const answers = asking && questions.length > 0 ? await ask.form(words('Set Weir up'), questions, '--yes') : {}
  const chosen = channel ?? answers.channel
  const requested =
    chosen === undefined
      ? given.yes
        ? pickOfferedTypes(types, env)
        : []
      : chosen === LATER_CHOICE
        ? []
        : [findChannelType(types, chosen)]
  const channels = requested.map((type): FirstChannel => {
    const channelKey = key ?? answers.key ?? (type.env ? env[type.env] : undefined) ?? ''
    if (type.needs_key && channelKey === '')
      requireFlags({ [`--key${type.env ? ` (or ${type.env})` : ''}`]: undefined })
    return { type, key: channelKey, base_url: answers.base_url ?? '' }
  })
  const chosenPassword = password ?? (answers.password || undefined)
  const generated = chosenPassword === undefined && !rootExists
  if (generated && print.quiet) throw new UsageError(NOBODY_SEES)
  return {
    plan: {
      username: username ?? answers.username ?? 'root',
      password: chosenPassword ?? generatePassword(),
      mode: (mode ?? answers.mode ?? 'external') as UsageMode,
      channels,
    },
    generated,
  }
}

/** Returns the default offer: each provider with a key in the environment, otherwise the sandbox. */
function pickOfferedTypes(types: readonly ChannelType[], env: CommandEnvironment['env']): ChannelType[] {
  const ready = listTypesWithKey(types, env)
  return ready.length > 0 ? ready : types.filter(({ id }) => id === SANDBOX_CHOICE)
}

/** Changes nothing. Flags that contradict the existing setup are an error, so that a script notices. */
async function checkExistingSetUp(
  context: CommandEnvironment,
  connection: GatewayConnection,
  given: InitOptions,
): Promise<void> {
  const problems = await listContradictions(connection.client, given)
  if (problems.length > 0) {
    throw new GatewayRefusal(
      fillTemplate(words('Weir is already set up, and not like this: {problems}. Nothing was changed.'), {
        problems: concatTexts(problems, words('; ')),
      }),
      'setup.other',
    )
  }
  const address = await getPublicAddress(connection, context)
  const data = formatDataPlace(context.config)
  await context.print.done({ done_before: true, username: given.username, address, data, channels: [] }, setUpView, {
    human: fillTemplate(
      words(
        'Weir is already set up: nothing was changed.\n\n  Console  {address}\n  Data     {data}\n  Check    weir doctor',
      ),
      { address, data },
    ),
    quietOutput: '',
  })
}
