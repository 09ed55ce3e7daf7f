// Makes the commander program from the list of commands: parsing, help and usage errors.
import { Argument, Command as Program, Option } from 'commander'
import { configOptions } from '../core/config.ts'
import type { ArgumentSpec, Command, Context, Entry, OptionSpec } from './command.ts'

/** Options that every command understands, before or behind its name. */
export const globalOptions: Record<string, OptionSpec> = {
  json: { flag: '--json', help: 'print JSON and nothing else' },
  quiet: { flag: '--quiet', help: 'print only what a script needs: ids; of a new token its key' },
  server: { flag: '--server <url>', help: 'manage the Weir at this address (WEIR_SERVER)' },
  accessToken: {
    flag: '--access-token <token>',
    help: 'access token for --server; better given as WEIR_ACCESS_TOKEN, which shows in no process list',
  },
  data: described('data'),
  database: described('database'),
  logLevel: described('log_level'),
  logFormat: described('log_format'),
  language: { flag: '--language <code>', help: 'language of refusals (WEIR_LANGUAGE)', choices: ['en', 'zh'] },
}

/** `--host` and `--port`, for the commands that listen or must know the address. */
export const addressOptions = { host: described('host'), port: described('port') }

/** For the commands that set up what is not there yet. */
export const newDatabaseOption = { newDatabase: described('new_database') }

export interface ProgramOptions {
  commands: readonly Entry[]
  version: string
  stdout(text: string): void
  stderr(text: string): void
  columns?: number
  run(command: Command, given: Pick<Context, 'options' | 'args'>): Promise<void>
}

/** The program; `parseAsync` runs one command or throws CommanderError. */
export function createProgram({ commands, version, stdout, stderr, columns, run }: ProgramOptions): Program {
  const program = new Program('weir')
    .description(
      'Weir: a self-hosted gateway in front of your model providers. Start with `weir init`, then `weir serve`.',
    )
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: stdout,
      writeErr: stderr,
      outputError: (text, write) => write(text.replace(/^error: /, 'weir: ')),
      getOutHelpWidth: () => columns ?? 100,
      getErrHelpWidth: () => columns ?? 100,
    })
  addOptions(program, globalOptions)
  for (const entry of commands) {
    if ('commands' in entry) addGroup(program, entry.name, entry.summary, entry.commands, run)
    else addCommand(program, entry, run)
  }
  return program
}

/** What the help and the reference say of a command's own exit code. */
export const exitSentence = (failsWhen: string) => `Exit code 1 where ${failsWhen}.`

/** The name under which commander files an option's value. */
export const attributeOf = (flag: string) => new Option(flag).attributeName()

function addGroup(
  program: Program,
  name: string,
  summary: string,
  commands: readonly Command[],
  run: ProgramOptions['run'],
): void {
  const group = inheriting(program.command(name), program).summary(summary).description(summary)
  for (const command of commands) addCommand(group, command, run)
  const usual = commands.find(({ isDefault }) => isDefault)
  if (usual)
    group.addHelpText(
      'after',
      `\nWithout a command it is \`weir ${name} ${usual.name}\`; its options: weir ${name} ${usual.name} --help`,
    )
}

function addCommand(parent: Program, command: Command, run: ProgramOptions['run']): void {
  const { name, summary, details, failsWhen, isDefault, anyOptions, arguments: declared } = command
  const sub = inheriting(parent.command(name, { isDefault }), parent).summary(summary).description(summary)
  const names = Object.keys(declared)
  for (const { spec, help } of Object.values(declared)) sub.addArgument(argumentOf({ spec, help }))
  addOptions(sub, command.options)
  if (anyOptions) sub.allowUnknownOption().allowExcessArguments()
  if (details) sub.addHelpText('after', `\n${details}`)
  if (failsWhen) sub.addHelpText('after', `\n${exitSentence(failsWhen)}`)
  sub.action(async (...received: unknown[]) => {
    const values = names.map((key, at) => [key, received[at]] as const)
    const merged = sub.optsWithGlobals<Record<string, string | boolean | undefined>>()
    const own = Object.entries(command.options).map(([key, { flag }]) => [key, merged[attributeOf(flag)]] as const)
    await run(command, {
      options: { ...merged, ...Object.fromEntries(own) },
      args: Object.fromEntries(values) as Context['args'],
    })
  })
}

// Sub-commands made by `command()` copy what the parent was told about output and exit; help wording they do not.
const inheriting = (sub: Program, parent: Program) =>
  sub.copyInheritedSettings(parent).helpOption('-h, --help', 'print help')

function addOptions(program: Program, options: Record<string, OptionSpec>): void {
  for (const { flag, help, choices } of Object.values(options)) {
    const option = new Option(flag, help)
    program.addOption(choices ? option.choices([...choices]) : option)
  }
}

const argumentOf = ({ spec, help }: ArgumentSpec) => new Argument(spec, help)

function described<K extends keyof typeof configOptions>(
  key: K,
): { flag: (typeof configOptions)[K]['flag']; help: string; choices?: readonly string[] } {
  const option: { flag: string; env: string; help: string; default?: string; choices?: readonly string[] } =
    configOptions[key]
  const initial = option.default === undefined ? '' : `, otherwise ${option.default}`
  return {
    flag: option.flag as (typeof configOptions)[K]['flag'],
    help: `${option.help} (${option.env}${initial})`,
    ...(option.choices ? { choices: option.choices } : {}),
  }
}
