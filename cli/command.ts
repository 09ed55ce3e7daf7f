// The declaration of a terminal command, from which the parser, the help and the reference page are made.
import type { Config } from '../core/config.ts'
import type { Language, Words } from '../core/errors.ts'
import type { EndpointName, WeirClient } from '../core/contracts.ts'
import type { TerminalPrompts } from './input/ask.ts'
import type { GatewayConnection } from './connection/connect.ts'
import type { MoneyView } from './output/format.ts'
import type { BilingualText } from './language.ts'
import type { ResultPrinter } from './output/output.ts'
import type { OutputView } from './output/view.ts'

/** As commander writes it: `--name <text>` takes a value, `--yes` does not. */
export interface OptionSpec {
  flag: string
  help: BilingualText
  choices?: readonly string[]
  /** Former names, such as `--last`: they are still taken, and no help shows them. */
  former?: readonly string[]
}

/** `<id>` is required, `[id]` optional, `[rest...]` takes all further words. */
export interface ArgumentSpec {
  spec: string
  help: BilingualText
}

type OptionSpecs = Record<string, OptionSpec>
type ArgumentSpecs = Record<string, ArgumentSpec>

type OptionValue<F extends string> = F extends `${string}<${string}` ? string | undefined : boolean | undefined
type ArgumentValue<S extends string> = S extends `${string}...${string}`
  ? string[]
  : S extends `[${string}`
    ? string | undefined
    : string

/** The capabilities of the environment and the terminal. */
export interface Terminal {
  /** True if a person can be asked: both ends are a terminal, and JSON was not requested. */
  interactive: boolean
  /** True if one of the three streams is a terminal, which also sends its signals to child processes. */
  shared: boolean
  /** Width of the terminal in characters; undefined without a terminal. */
  columns?: number
  streams: { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream }
}

/** The environment of every command, independent of its options. */
export interface CommandEnvironment {
  /** The typed client. Its first use connects, and the end of the command closes it. */
  client(): Promise<WeirClient>
  connection(): Promise<GatewayConnection>
  /** Opens a connection that the command closes itself. */
  reconnect(): Promise<GatewayConnection>
  /** Format of amounts, requested from the gateway once. */
  money(): Promise<MoneyView>
  /** The server running on this machine, or null. */
  findServer(): Promise<GatewayConnection | null>
  /** Resolves with a connection to it as soon as it runs; null if the signal comes first. */
  awaitServer(signal: AbortSignal): Promise<GatewayConnection | null>
  print: ResultPrinter
  ask: TerminalPrompts
  /** Read on first use, so that invalid local variables do not break a remote command. */
  readonly config: Config
  readonly language: Language
  readonly server?: string
  terminal: Terminal
  env: Record<string, string | undefined>
  version: string
  /** All commands of the program, for the commands that describe them. */
  commands: readonly CommandEntry[]
  /** Returns the words of the command that calls an endpoint; undefined if only `weir call` does. */
  findEndpointCommand(endpoint: string): Promise<string | undefined>
  /** Runs another command line on the same Weir without prompts. Returns its exit code and its output for people. */
  runSeparately(args: readonly string[], signal: AbortSignal): Promise<{ code: number; output: string }>
  /** Reads standard input as text, for values that should not appear in a process list. */
  readInput(): Promise<string>
  /** Returns a signal that the first SIGINT or SIGTERM aborts; a second one ends the process immediately. */
  interrupted(): AbortSignal
  /**
   * Ends with exit code 1 without an error message, if the `signOutExitMeaning` condition holds and the output already explains
   * it.
   */
  failed(): void
  /** Ends with the code of the program that was run. */
  exit(code: number): void
}

type Values = Record<string, string | string[] | boolean | undefined>

export interface CommandContext extends CommandEnvironment {
  options: Values
  args: Values
}

export interface Command {
  /** The endpoint that the command calls; if there are several, the most restricted one. Its access rule decides who may run the command. */
  endpoint?: EndpointName
  name: string
  /** Alternative names. */
  aliases?: readonly string[]
  summary: BilingualText
  /** Further lines below the help. */
  details?: BilingualText
  arguments: ArgumentSpecs
  options: OptionSpecs
  /** The meaning of exit code 1 for this command, in addition to refusal and failure. */
  failsWhen?: BilingualText
  /** True if undeclared options are passed on in `args.rest` instead of being refused. */
  anyOptions?: boolean
  /** True if its group runs it when no command is named. */
  isDefault?: boolean
  /** True if it changes nothing, so that --watch may repeat it. */
  readOnly?: boolean
  /**
   * True if it needs the terminal or the process for itself, so that no other command may run it inside its own
   * process.
   */
  alone?: boolean
  /** True if it works on this machine, whatever the current context is. */
  here?: boolean
  /** Its output for programs, for the page of commands: fields of one object, or of each row of a list. */
  output?: CommandOutput
  run(context: CommandContext): Promise<void>
  /** The ordinary user's form of the command, if the endpoint of administrators has no counterpart of the same shape. */
  own?: OwnCommand<CommandContext>
}

/** A command as an ordinary user runs it: the same output, from endpoints of every user. */
interface OwnCommand<Context> {
  /** The options that it takes; the others need an administrator. */
  options: readonly string[]
  run(context: Context): Promise<void>
}

/** The fields that a command prints. */
export interface CommandOutput {
  view: OutputView<never>
  many: boolean
}

export interface CommandGroup {
  name: string
  summary: BilingualText
  commands: readonly CommandEntry[]
}

export type CommandEntry = Command | CommandGroup

/** Commands of one subject, under one heading of `weir --help`. */
export interface CommandSection {
  heading: Words
  commands: readonly CommandEntry[]
}

/** Returns every command with its path of words. */
export const listEveryCommand = (
  entries: readonly CommandEntry[],
  path: readonly string[] = [],
): [string[], Command][] =>
  entries.flatMap((entry): [string[], Command][] =>
    'commands' in entry ? listEveryCommand(entry.commands, [...path, entry.name]) : [[[...path, entry.name], entry]],
  )

/** Verbs with one meaning: a command that has one of them takes the others, unless a neighbour has them. */
const MAKING = ['add', 'create', 'new']

/** Returns the further names of a command: the declared ones, which the help shows, and the verbs that mean the same. */
export function listAliases({ name, aliases = [] }: Command, neighbours: readonly CommandEntry[]): string[] {
  const own = [name, ...aliases]
  if (!own.some((verb) => MAKING.includes(verb))) return [...aliases]
  const taken = new Set([
    ...own,
    ...neighbours.flatMap((each) => [each.name, ...('aliases' in each ? (each.aliases ?? []) : [])]),
  ])
  return [...aliases, ...MAKING.filter((verb) => !taken.has(verb))]
}

/** Returns the singular of a group's name, which the command line accepts, too; `undefined` if the name has none. */
export function findSingular(name: string): string | undefined {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`
  return name.endsWith('s') ? name.slice(0, -1) : undefined
}

/** Finds the command that a group runs when no command is named. */
export const findDefaultCommand = ({ commands }: CommandGroup): Command | undefined =>
  commands.find((entry): entry is Command => 'isDefault' in entry && entry.isDefault === true)

type TypedContext<O extends OptionSpecs, A extends ArgumentSpecs> = CommandEnvironment & {
  options: { [K in keyof O]: OptionValue<O[K]['flag']> }
  args: { [K in keyof A]: ArgumentValue<A[K]['spec']> }
}

/** Declares a command; `run` gets its options and arguments, typed by their flags. */
export function command<const O extends OptionSpecs = {}, const A extends ArgumentSpecs = {}>(
  declaration: Omit<Command, 'arguments' | 'options' | 'run' | 'own'> & {
    arguments?: A
    options?: O
    run(context: TypedContext<O, A>): Promise<void>
    own?: OwnCommand<TypedContext<O, A>>
  },
): Command {
  return {
    ...declaration,
    arguments: declaration.arguments ?? {},
    options: declaration.options ?? {},
    run: (context) => declaration.run(context as unknown as TypedContext<O, A>),
    own: declaration.own as OwnCommand<CommandContext> | undefined,
  }
}

/** The name of a group's list, which the group runs when no command is named. */
export const LIST_COMMAND = { name: 'ls', aliases: ['list'], isDefault: true, readOnly: true } as const

/** Declares several commands under one noun: `weir channels list`. */
export const group = (declaration: CommandGroup): CommandGroup => declaration
