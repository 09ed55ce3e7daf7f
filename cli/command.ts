// What a terminal command is: one declaration from which the parser, the help and the reference page are made.
import type { Config } from '../core/config.ts'
import type { Language } from '../core/errors.ts'
import type { WeirClient } from '../core/contracts.ts'
import type { Ask } from './ask.ts'
import type { Connection } from './connect.ts'
import type { MoneyView } from './format.ts'
import type { Said } from './language.ts'
import type { Printer } from './output.ts'
import type { View } from './view.ts'

/** As commander writes it: `--name <text>` takes a value, `--yes` does not. */
export interface OptionSpec {
  flag: string
  help: Said
  choices?: readonly string[]
}

/** `<id>` must be there, `[id]` may be, `[rest...]` takes all that follow. */
export interface ArgumentSpec {
  spec: string
  help: Said
}

type OptionSpecs = Record<string, OptionSpec>
type ArgumentSpecs = Record<string, ArgumentSpec>

type OptionValue<F extends string> = F extends `${string}<${string}` ? string | undefined : boolean | undefined
type ArgumentValue<S extends string> = S extends `${string}...${string}`
  ? string[]
  : S extends `[${string}`
    ? string | undefined
    : string

/** Where the process stands: what the environment and the terminal allow. */
export interface Terminal {
  /** A person can be asked: both ends are a terminal, and nobody wants JSON. */
  interactive: boolean
  /** One of the three streams is a terminal, which sends its signals to what is run here as well. */
  shared: boolean
  /** Characters in a line, where there is a terminal. */
  columns?: number
  streams: { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream }
}

/** What every command gets, whatever its options. */
export interface CommandEnvironment {
  /** The typed client; the first use connects, the end of the command closes. */
  client(): Promise<WeirClient>
  connection(): Promise<Connection>
  /** A connection that this command itself closes. */
  connectAnew(): Promise<Connection>
  /** How the gateway shows amounts; asked once. */
  money(): Promise<MoneyView>
  /** The server running on this machine, or null. */
  findServer(): Promise<Connection | null>
  /** A connection to it once there is one; null where the signal comes first. */
  awaitServer(signal: AbortSignal): Promise<Connection | null>
  print: Printer
  ask: Ask
  /** Read when first used, so that a remote command does not stumble over local variables. */
  readonly config: Config
  readonly language: Language
  readonly server?: string
  terminal: Terminal
  env: Record<string, string | undefined>
  version: string
  /** The program's commands, for those that describe them. */
  commands: readonly Entry[]
  /** Runs another command line on the same Weir; what it prints for people, and its exit code. Nothing is asked. */
  runBeside(args: readonly string[], signal: AbortSignal): Promise<{ code: number; output: string }>
  /** Standard input as text; for values that should not stand in a process list. */
  readInput(): Promise<string>
  /** Aborted by the first SIGINT or SIGTERM; a second one ends the process at once. */
  interrupted(): AbortSignal
  /** Ends with exit code 1 without an error message, where `failsWhen` holds: the output has said it all. */
  failed(): void
  /** Ends with the code of the program that was run. */
  exit(code: number): void
}

type Values = Record<string, string | string[] | boolean | undefined>

export interface Context extends CommandEnvironment {
  options: Values
  args: Values
}

export interface Command {
  name: string
  /** Other names of it. */
  aliases?: readonly string[]
  summary: Said
  /** Further lines under the help. */
  details?: Said
  arguments: ArgumentSpecs
  options: OptionSpecs
  /** What exit code 1 says of this command, beside that it was refused or could not be done. */
  failsWhen?: Said
  /** Options that are not declared are passed on in `args.rest` instead of being refused. */
  anyOptions?: boolean
  /** What its group runs when no command is named. */
  isDefault?: boolean
  /** It changes nothing, so that --watch may run it again and again. */
  looks?: boolean
  /** It has the terminal, or the process, to itself: none runs beside another. */
  alone?: boolean
  /** It is for this machine, whatever the current context is. */
  here?: boolean
  /** What it prints for programs, for the page of commands: fields of one thing, or of each row of a list. */
  gives?: CommandOutput
  run(context: Context): Promise<void>
}

/** Fields of what a command prints. */
export interface CommandOutput {
  view: View<never>
  many: boolean
}

export interface CommandGroup {
  name: string
  summary: Said
  commands: readonly Entry[]
}

export type Entry = Command | CommandGroup

/** Every command, with the words that call it. */
export const everyCommand = (entries: readonly Entry[], path: readonly string[] = []): [string[], Command][] =>
  entries.flatMap((entry): [string[], Command][] =>
    'commands' in entry ? everyCommand(entry.commands, [...path, entry.name]) : [[[...path, entry.name], entry]],
  )

/** What a group runs when no command is named. */
export const findDefaultCommand = ({ commands }: CommandGroup): Command | undefined =>
  commands.find((entry): entry is Command => 'isDefault' in entry && entry.isDefault === true)

type TypedContext<O extends OptionSpecs, A extends ArgumentSpecs> = CommandEnvironment & {
  options: { [K in keyof O]: OptionValue<O[K]['flag']> }
  args: { [K in keyof A]: ArgumentValue<A[K]['spec']> }
}

/** Declares a command; `run` sees its options and arguments typed by their flags. */
export function command<const O extends OptionSpecs = {}, const A extends ArgumentSpecs = {}>(
  declaration: Omit<Command, 'arguments' | 'options' | 'run'> & {
    arguments?: A
    options?: O
    run(context: TypedContext<O, A>): Promise<void>
  },
): Command {
  return {
    ...declaration,
    arguments: declaration.arguments ?? {},
    options: declaration.options ?? {},
    run: (context) => declaration.run(context as unknown as TypedContext<O, A>),
  }
}

/** Several commands under one noun: `weir channels list`. */
export const group = (declaration: CommandGroup): CommandGroup => declaration
