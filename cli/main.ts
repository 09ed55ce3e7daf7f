// The entry of the terminal program: parses the command line, runs one command, converts its end into an exit code.
import { createRequire } from 'node:module'
import { Readable, Writable } from 'node:stream'
import { CommanderError } from 'commander'
import { readSecretVariable, readConfig } from '../core/adapters/read-config.ts'
import { accessTokenVariable, configOptions, type ConfigFlags } from '../core/config.ts'
import { fillTemplate, type Language } from '../core/errors.ts'
import { escapeControlCharacters } from '../core/logs/visible.ts'
import { escapeNegativeAmounts } from './input/amount.ts'
import { createTerminalPrompts } from './input/ask.ts'
import type { Command, CommandContext, CommandSection } from './command.ts'
import { loadCommandSections, loadNoCommand } from './commands/load.ts'
import { LOCAL_CONTEXT, LooseFile, resolveTarget, type CommandTarget } from './connection/contexts.ts'
import { EXIT_CODE, toCliFailure, GatewayRefusal, UsageError } from './failure.ts'
import { isMoment } from './input/flags.ts'
import { detectLanguage } from './language.ts'
import { findMeantContext } from './nouns/context.ts'
import { checkJqFilter, createPrinter, refuseField, type OutputForm } from './output/output.ts'
import { showInPager } from './output/pager.ts'
import { supportsTerminalColor } from './output/paint.ts'
import { getOptionAttribute, createProgram } from './program.ts'
import { watchFileDrift, type DriftWatch } from './managed.ts'
import { runAsPermitted } from './permission.ts'
import { openSession, type ConnectionFunctions } from './connection/session.ts'
import { createInterruptSignal } from './signals.ts'
import { words } from './texts.ts'
import { pickChosenFields } from './output/view.ts'
import { watchCommand, type WatchedRun } from './output/watch.ts'

/** The process as commands see it. */
export interface CommandHost {
  env: Record<string, string | undefined>
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  /** The socket of the server that answered on this machine when the program started. */
  socket?: string | undefined
  /** Set if another command runs this one inside its own process. */
  outerCommand?: OuterCommand
}

/** The state shared with the outer command: the same Weir, even if the current context has changed. */
interface OuterCommand {
  connections: ConnectionFunctions
  target: CommandTarget
  signal: AbortSignal
}

/** Runs the command line; the process exits on its own with the exit code set. */
export async function main(argv: string[], socket?: string): Promise<void> {
  const { env, stdin, stdout, stderr } = process
  process.exitCode = await runCommandLine(argv.slice(2), { env, stdin, stdout, stderr, socket })
}

/** Runs one command line and returns its exit code. */
export async function runCommandLine(args: readonly string[], host: CommandHost): Promise<number> {
  ignoreClosedPipe(host.stdout)
  let exit: number = EXIT_CODE.ok
  const language = detectLanguage(args, host.env)
  const sections = await loadCommandSections(args)
  const program = createProgram({
    sections,
    version: packageVersion(),
    language,
    stdout: (text) => void host.stdout.write(escapeControlCharacters(text)),
    stderr: (text) => void host.stderr.write(escapeControlCharacters(text)),
    columns: host.stdout.isTTY ? host.stdout.columns : undefined,
    run: async (command, given) => {
      exit = await runCommand(command, given, host, { language, sections })
    },
  })
  if (args.length === 0) {
    if (host.stdout.isTTY)
      return runCommand(await loadNoCommand(), { options: {}, args: {} }, host, { language, sections })
    program.outputHelp()
    return EXIT_CODE.ok
  }
  try {
    await program.parseAsync(escapeNegativeAmounts(args), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help and version are also thrown, with exit code 0; every other error of commander is wrong usage.
    return error.exitCode === 0 ? EXIT_CODE.ok : EXIT_CODE.usage
  }
  return exit
}

/** Returns the help that a command line prints; undefined if it prints anything else. */
export async function renderHelp(
  args: readonly string[],
  env: CommandHost['env'],
  columns: number | undefined,
): Promise<string | undefined> {
  let text = ''
  const program = createProgram({
    sections: await loadCommandSections(args),
    version: packageVersion(),
    language: detectLanguage(args, env),
    stdout: (part) => void (text += escapeControlCharacters(part)),
    stderr: () => undefined,
    columns,
    run: async () => undefined,
  })
  if (args.length === 0) program.outputHelp()
  try {
    if (args.length > 0) await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode !== 0) return undefined
  }
  return text === '' ? undefined : text
}

type ParsedCommand = Pick<CommandContext, 'options' | 'args'>

async function runCommand(
  command: Command,
  given: ParsedCommand,
  host: CommandHost,
  { language, sections }: Pick<Run, 'language' | 'sections'>,
): Promise<number> {
  const { stdout, stderr, env } = host
  const reportFailure = (error: unknown, form: OutputForm = 'human', streams: Partial<WatchedRun> = {}) => {
    const failure = toCliFailure(error, language)
    const failing = async () => {
      throw error
    }
    const print = createPrinter({ stdout, stderr, form, language, env, money: failing, ...streams })
    if (failure) print.failure(failure)
    return failure?.exit ?? EXIT_CODE.usage
  }
  const interrupts = createInterruptSignal()
  const getSignal = () => host.outerCommand?.signal ?? interrupts.signal()
  try {
    if (host.outerCommand && command.alone) throw new UsageError(fillTemplate(ALONE, { name: command.name }))
    const form = parseForm(given.options)
    const once = ({ onResult, ...streams }: Partial<WatchedRun> = {}) =>
      runOnce(command, own, {
        host: { ...host, ...streams },
        language,
        sections,
        form,
        interrupted: getSignal,
        onResult,
      }).catch((error: unknown) => reportFailure(error, form, streams))
    await checkCommonOptions(command, given.options)
    const { condition, ...rest } = separateWatchCondition(command, given.options)
    if (condition !== undefined) await checkJqFilter('--until', condition)
    const own = { ...given, options: rest.options }
    const span = given.options.watch
    return typeof span === 'string'
      ? await watchCommand(command, { span, condition }, { stdout, stderr, interrupted: getSignal }, once)
      : await once()
  } catch (error) {
    return reportFailure(error, given.options.json === true ? 'json' : 'human')
  } finally {
    interrupts.release()
  }
}

const ALONE = words('`weir {name}` needs its own terminal: run it in another one.')

/** Returns the output format. @throws UsageError if two formats are requested */
function parseForm({ json, jq, csv, quiet }: CommandContext['options']): OutputForm {
  const given = Object.entries({ '--json': json === true || jq !== undefined, '--csv': csv, '--quiet': quiet })
  const [first, second] = given.filter(([, on]) => on === true).map(([flag]) => flag)
  if (first && second)
    throw new UsageError(fillTemplate(words('{first} and {second} exclude each other.'), { first, second }))
  return first ? (first.slice(2) as OutputForm) : 'human'
}

/**
 * Checks the options of every command, so that a wrong one is reported before anything is changed.
 * @throws UsageError or ConfigError naming the flag
 */
async function checkCommonOptions({ output, readOnly }: Command, options: CommandContext['options']): Promise<void> {
  const { jq, columns } = options
  const flags = pickConfigFlags(options)
  // Without the environment, whose variables may be wrong for a command to a server elsewhere.
  if (Object.keys(flags).length > 0) readConfig(flags, {}, false)
  if (typeof jq === 'string') await checkJqFilter('--jq', jq)
  if (typeof columns !== 'string') return
  if (!output) throw new UsageError(words('--columns is for commands that print fields, see `weir docs commands`.'))
  // Some commands that only look print another view for people; the printer checks their fields.
  if (!readOnly) pickChosenFields(output.view, splitColumns(columns), refuseField)
}

const splitColumns = (text: string): string[] => text.split(',').map((name) => name.trim())

/**
 * Separates the condition that ends --watch from the options of the command. A command with a flag --until of its own
 * reads a moment as that flag; any other value is a condition.
 * @throws UsageError if there is a condition without --watch
 */
function separateWatchCondition(
  command: Command,
  options: CommandContext['options'],
): { options: CommandContext['options']; condition?: string } {
  const { until, watch } = options
  if (typeof until !== 'string') return { options }
  const isOwn = command.options.until !== undefined
  if (isOwn && (watch === undefined || isMoment(until))) return { options }
  if (watch === undefined) throw new UsageError(words('--until is for --watch: it ends the watch.'))
  return { options: { ...options, until: undefined }, condition: until }
}

interface Run {
  host: CommandHost
  language: Language
  sections: readonly CommandSection[]
  form: OutputForm
  interrupted: () => AbortSignal
  /** Receives the result as --json prints it. */
  onResult?: ((value: unknown) => void) | undefined
}

async function runOnce(
  command: Command,
  given: ParsedCommand,
  { host, language, sections, form, interrupted: getSignal, onResult }: Run,
): Promise<number> {
  const { env, stdin, stdout, stderr } = host
  const text = (name: string) => given.options[name] as string | undefined
  const drawable =
    !host.outerCommand &&
    Boolean(stdout.isTTY) &&
    (form === 'human' || form === 'quiet') &&
    env.TERM !== 'dumb' &&
    !env.CI
  const interactive = drawable && Boolean(stdin.isTTY)
  const config = () => readConfig(pickConfigFlags(given.options), env, Boolean(stdout.isTTY))
  const lent =
    host.outerCommand && !command.here && !PLACES.some((name) => text(name) !== undefined)
      ? host.outerCommand
      : undefined
  const target: CommandTarget = lent ? lent.target : findTarget(command, text, env)
  const { server, accessToken } = target
  const session = openSession({ server, accessToken, language, config, env, socket: host.socket })
  const connections = lent?.connections ?? session.getConnections(command)
  const columns = given.options.columns === undefined ? undefined : splitColumns(String(given.options.columns))
  const page = interactive && text('watch') === undefined ? showInPager(env, stdout) : undefined
  const print = createPrinter({
    stdout,
    stderr,
    form,
    jq: text('jq'),
    columns,
    language,
    money: connections.money,
    env,
    page,
    onResult,
  })
  const colour = supportsTerminalColor(stdout, env)
  let exit: number = EXIT_CODE.ok
  let watch: DriftWatch | undefined
  try {
    await runAsPermitted(command, {
      ...given,
      ...connections,
      client: async () => (watch ??= watchFileDrift(await connections.client())).client,
      print,
      ask: createTerminalPrompts(
        interactive,
        { stdin, stdout },
        { colour, language, signsAllowed: drawable && form === 'human' },
      ),
      get config() {
        return config()
      },
      language,
      server,
      terminal: {
        interactive,
        shared: [stdin, stdout, stderr].some(({ isTTY }) => isTTY === true),
        columns: stdout.isTTY ? stdout.columns : undefined,
        streams: { stdin, stdout },
      },
      runSeparately: (args, signal) =>
        runInside(['--language', language, ...args], {
          ...host,
          outerCommand: { connections, target: { server, accessToken }, signal },
        }),
      env,
      version: packageVersion(),
      commands: sections.flatMap(({ commands }) => commands),
      findEndpointCommand: async (endpoint) =>
        (await import('./commands/endpoint-commands.built.ts')).endpointCommands[endpoint],
      readInput: () => readAll(stdin),
      interrupted: getSignal,
      failed: () => {
        if (command.failsWhen === undefined) throw new Error(`${command.name} does not say when it ends with 1.`)
        exit = EXIT_CODE.failed
      },
      exit: (code) => void (exit = code),
    })
    await watch?.report(print)
  } catch (error) {
    throw adviseExpiredToken(error, target)
  } finally {
    await session.close()
  }
  return exit
}

/** Adds how to sign in to the refusal of a missing, wrong or expired access token. */
function adviseExpiredToken(error: unknown, { context, server }: CommandTarget): unknown {
  const isOver = error instanceof GatewayRefusal && NOT_SIGNED_IN.has(error.code ?? '') && server !== undefined
  if (!isOver) return error
  const advice =
    context === undefined
      ? fillTemplate(
          words(
            'Not signed in to {server}, or the access token is wrong: weir login {server}, or --access-token (WEIR_ACCESS_TOKEN).',
          ),
          { server },
        )
      : fillTemplate(
          words('The access token of "{context}" has expired or was revoked: weir login {server} --name {context}'),
          { context, server },
        )
  return new GatewayRefusal(advice, error.code)
}

const NOT_SIGNED_IN: ReadonlySet<string> = new Set(['access.token_invalid', 'access.login_required'])

/** The options that locate a Weir, by their names in commander. */
const PLACES = ['server', 'context', 'data', 'database']

/** Runs a command line and captures its output instead of writing it. */
async function runInside(
  args: readonly string[],
  { env, stdin, stdout, outerCommand }: CommandHost,
): Promise<{ code: number; output: string }> {
  let output = ''
  const captured = Object.assign(new Writable(), {
    isTTY: stdout.isTTY,
    columns: stdout.columns,
    write: (text: string | Uint8Array) => {
      output += String(text)
      return true
    },
  }) as unknown as NodeJS.WriteStream
  const emptyInput = Object.assign(Readable.from([]), { isTTY: false }) as unknown as typeof stdin
  const plain = { ...env, NO_COLOR: '1', FORCE_COLOR: undefined }
  const code = await runCommandLine(args, {
    env: plain,
    stdin: emptyInput,
    stdout: captured,
    stderr: captured,
    outerCommand,
  })
  return { code, output }
}

/**
 * Returns the target.
 * @throws UsageError for an unknown context, ConfigError for an unreadable token file, Refusal if others may read the
 * contexts
 */
function findTarget(
  { here }: Command,
  text: (name: string) => string | undefined,
  env: CommandHost['env'],
): CommandTarget {
  const [server, data, database] = [text('server'), text('data'), text('database')]
  const given = {
    server,
    data,
    database,
    context: here ? LOCAL_CONTEXT : text('context'),
    accessToken: text('accessToken'),
  }
  // Those commands themselves refuse a variable that names a server.
  if (here && env.WEIR_SERVER && server === undefined) return { server: env.WEIR_SERVER }
  try {
    return resolveTarget(
      given,
      { ...env, [accessTokenVariable]: readSecretVariable(env, accessTokenVariable) },
      findMeantContext,
    )
  } catch (error) {
    if (!(error instanceof LooseFile)) throw error
    throw new GatewayRefusal(
      fillTemplate(words('{file} may be read by others: chmod 600 {file}'), { file: error.file }),
      'contexts.loose',
    )
  }
}

/** Returns the given flags of the configuration, by the configuration's names. */
function pickConfigFlags(options: CommandContext['options']): ConfigFlags {
  const entries = Object.entries(configOptions).map(
    ([key, { flag }]) => [key, options[getOptionAttribute(flag)]] as const,
  )
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string')) as ConfigFlags
}

// `weir logs list | head -1` closes our output early, which is not a failure.
function ignoreClosedPipe(stdout: NodeJS.WriteStream): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT_CODE.ok)
    throw error
  })
}

async function readAll(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  let text = ''
  for await (const chunk of stdin) text += String(chunk)
  return text.replace(/\r?\n$/, '')
}

function packageVersion(): string {
  const manifest = createRequire(import.meta.url)('weir-gateway/package.json') as { version: string }
  return manifest.version
}

// Started directly (as in development), not through the installed command.
if (process.argv[1] !== undefined && import.meta.filename === process.argv[1]) await main(process.argv)
