// The commander program, built from the list of commands: parsing, help and usage errors.
import { Argument, Command as Program, Help, Option } from 'commander'
import stringWidth from 'fast-string-width'
import { configOptions } from '../core/config.ts'
import { fillTemplate, joinList, LANGUAGES, type Language, type Words } from '../core/errors.ts'
import type {
  ArgumentSpec,
  Command,
  CommandGroup,
  CommandContext,
  CommandEntry,
  CommandSection,
  OptionSpec,
} from './command.ts'
import { findDefaultCommand, findSingular, listAliases } from './command.ts'
import { findRequiredRole } from './permission.ts'
import { pickLanguage, type BilingualText } from './language.ts'
import { words } from './texts.ts'

// Errors of the command-line parser, in the person's language.

/** The parser's English sentences; `$1` and further placeholders are quoted parts. */
const SENTENCES: readonly (readonly [RegExp, Words])[] = [
  [/^unknown option '(.+?)'/, words("unknown option '$1'")],
  [/^unknown command '(.+?)' \(there are (.+?)\)/, words("unknown command '$1' (there are $2)")],
  [/^unknown command '(.+?)'/, words("unknown command '$1'")],
  [/^missing required argument '(.+?)'/, words("missing required argument '$1'")],
  [/^option '(.+?)' argument missing/, words("option '$1' argument missing")],
  [
    /^option '(.+?)' argument '(.*?)' is invalid\. Allowed choices are (.+?)\./,
    words("option '$1' argument '$2' is invalid. Allowed choices are $3."),
  ],
  [
    /^command-argument value '(.*?)' is invalid for argument '(.+?)'\./,
    words("command-argument value '$1' is invalid for argument '$2'."),
  ],
  [
    /^too many arguments(?: for '(.+?)')?\. Expected (\d+) arguments? but got (\d+)(?:: (.+?))?\./,
    words('too many arguments. Expected $2 but got $3.'),
  ],
  [/\(Did you mean one of (.+?)\?\)/, words('(Did you mean one of $1?)')],
  [/\(Did you mean (.+?)\?\)/, words('(Did you mean $1?)')],
]

/** Translates the parser's sentence. */
export const formatUsageMessage = (text: string, language: Language): string =>
  language === 'en'
    ? text
    : SENTENCES.reduce((sentence, [pattern, translated]) => sentence.replace(pattern, translated[language]), text)

// Text for people, in lines that fit the terminal. Libraries such as wrap-ansi break only at blanks, which Chinese text
// lacks.

// A line breaks after a word or a Chinese character, but not before a closing or after an opening mark: brackets, quotes
// and stops of Chinese text.
const OPENING = '\uff08\u201c\u300c\u300a'
const CLOSING = '\uff0c\u3002\u3001\uff1a\uff1b\uff01\uff1f\uff09\u201d\u300d\u300b\u2026'
const HAN = '\\p{Script=Han}'
const PIECE = new RegExp(
  `\\s*[${OPENING}]*(?:${HAN}|[^\\s${HAN}${OPENING}${CLOSING}]+)[${CLOSING}]*|\\s*[${OPENING}${CLOSING}]+`,
  'gu',
)

/** Breaks lines that are too wide; indented lines, such as an example, are not changed. */
export const wrap = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap((line) => (line.startsWith(' ') || stringWidth(line) <= width ? [line] : breakLine(width, line)))
    .join('\n')

function breakLine(width: number, line: string): string[] {
  const lines: string[] = []
  let current = ''
  let taken = 0
  for (const [piece] of line.matchAll(PIECE)) {
    if (current !== '' && taken + stringWidth(piece) > width) {
      lines.push(current)
      current = piece.trimStart()
      taken = stringWidth(current)
    } else {
      current += piece
      taken += stringWidth(piece)
    }
  }
  return [...lines, current]
}

const BY_VARIABLE = words('{help} ({env})')
const BY_DEFAULT = words('{help} ({env}, default: {initial})')

/** Options that every command accepts, before or after its name. */
export const globalOptions: Record<string, OptionSpec> = {
  json: { flag: '--json', help: words('print JSON and nothing else') },
  jq: {
    flag: '--jq <filter>',
    help: words('print the result of this jq filter on the JSON'),
  },
  csv: { flag: '--csv', help: words('print CSV with a header line') },
  columns: {
    flag: '--columns <list>',
    help: words('comma list of the fields to print; `weir docs commands` has them'),
  },
  quiet: {
    flag: '--quiet',
    help: words('print only what a script needs: ids, or the key of a new token'),
  },
  watch: {
    flag: '--watch <span>',
    help: words('run again after each span, such as 2s, until Ctrl+C; for commands that only look'),
  },
  until: {
    flag: '--until <filter>',
    help: words('end --watch as soon as this jq filter of the JSON is true'),
  },
  server: {
    flag: '--server <url>',
    help: words('manage the Weir at this address (WEIR_SERVER)'),
  },
  context: {
    flag: '--context <context>',
    help: words('the gateway of this name: see `weir context` (WEIR_CONTEXT); local is this machine'),
  },
  accessToken: {
    flag: '--access-token <token>',
    help: words('access token for --server; prefer WEIR_ACCESS_TOKEN, which no process list shows'),
  },
  data: configOption('data'),
  database: configOption('database'),
  logLevel: configOption('log_level'),
  logFormat: configOption('log_format'),
  language: {
    flag: '--language <code>',
    help: words('language of help, tables and refusals (WEIR_LANGUAGE, otherwise LANG)'),
    choices: LANGUAGES,
  },
}

/** Listening address, for the commands that listen or must know it. */
export const listenAddressOptions = {
  host: configOption('host'),
  port: configOption('port'),
  basePath: configOption('base_path'),
}

/** Option of the command that serves. */
export const accessLogOption = { accessLog: configOption('access_log') }

/** Separate port for metrics and probes. */
export const metricsPortOptions = {
  metricsPort: configOption('metrics_port'),
  metricsHost: configOption('metrics_host'),
}

/** Place to which rows of the log move. */
export const logHomeOption = { logs: configOption('logs') }

/** Shared rate counters of several instances. */
export const redisUrlOption = { redis: configOption('redis') }

/** Whether answers wait for the database. */
export const journalWaitOption = { journal: configOption('journal') }

/** Option of the commands that can create a new database. */
export const newDatabaseOption = { newDatabase: configOption('new_database') }

export interface ProgramOptions {
  sections: readonly CommandSection[]
  version: string
  language: Language
  stdout(text: string): void
  stderr(text: string): void
  columns?: number
  run(command: Command, given: Pick<CommandContext, 'options' | 'args'>): Promise<void>
}

/** Creates the program; `parseAsync` runs one command or throws CommanderError. */
export function createProgram(options: ProgramOptions): Program {
  const { sections, version, language, stdout, stderr, columns } = options
  const say = (sentence: BilingualText) => pickLanguage(sentence, language)
  const program = new Program('weir')
    .description(say(ABOUT))
    .version(version, '--version', say(words('print the version')))
    .helpOption('-h, --help', say(PRINT_HELP))
    .helpCommand('help [command]', say(PRINT_HELP))
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({
      styleTitle: (title) => TITLES[title]?.[language] ?? title,
      showGlobalOptions: false,
      minWidthToWrap: MIN_TEXT_COLUMNS,
      optionDescription: (option) => describeOption(option, language),
      displayWidth: stringWidth,
      boxWrap: wrap,
      subcommandTerm(command) {
        return hideSingular(command, Help.prototype.subcommandTerm.call(this, command))
      },
      commandUsage(command) {
        return hideSingular(command, Help.prototype.commandUsage.call(this, command))
      },
    })
    .configureOutput({
      writeOut: stdout,
      writeErr: stderr,
      outputError: (text, write) => write(`weir: ${formatUsageMessage(text.replace(/^error: /, ''), language)}`),
      getOutHelpWidth: () => columns ?? PIPE_COLUMNS,
      getErrHelpWidth: () => columns ?? PIPE_COLUMNS,
    })
  addOptions(program, globalOptions, say)
  for (const { heading, commands } of sections) {
    program.commandsGroup(say(fillTemplate(words('{heading}:'), { heading })))
    for (const entry of commands) addEntry(program, entry, commands, options, say)
  }
  return program
}

function addEntry(
  parent: Program,
  entry: CommandEntry,
  neighbours: readonly CommandEntry[],
  options: ProgramOptions,
  say: Translate,
): void {
  if ('commands' in entry) addGroup(parent, entry, options, say)
  else addCommand(parent, entry, listAliases(entry, neighbours), options, say)
}

/** The help shows the plural of a group only. */
const hideSingular = (command: Program, text: string): string =>
  command.commands.length > 0 ? text.replace(`${command.name()}|${command.alias()}`, command.name()) : text

/** Width of the help, in characters, if there is no terminal. */
const PIPE_COLUMNS = 80
/** Minimum width of the texts next to flags, in columns. */
const MIN_TEXT_COLUMNS = 16

const ABOUT = words(
  'Weir: a self-hosted gateway in front of your model providers. Start with `weir init`, then `weir serve`.',
)
const PRINT_HELP = words('print help')
const TITLES: Record<string, BilingualText> = {
  'Usage:': words('Usage:'),
  'Arguments:': words('Arguments:'),
  'Options:': words('Options:'),
  'Commands:': words('Commands:'),
}

/** Describes a command's own exit code, for the help and the reference. */
export const describeExitCode = (failsWhen: BilingualText): Words => fillTemplate(EXIT_ONE, { when: failsWhen })

const EXIT_ONE = words('Exit code 1 where {when}.')

const SHORT_FLAGS: Readonly<Record<string, string>> = {
  '--quiet': '-q',
  '--yes': '-y',
  '--limit': '-n',
  '--follow': '-f',
}

/** Puts the short flag, if there is one, before a long one. */
export function withShortFlag(flag: string): string {
  const short = SHORT_FLAGS[flag.split(' ', 1)[0]!]
  return short ? `${short}, ${flag}` : flag
}

/** Adds to a summary who may run the command, if not every user may. */
export function markRequiredRole(entry: CommandEntry, summary: BilingualText): BilingualText {
  const role = findRequiredRole(entry)
  return role ? fillTemplate(ROLE_MARKS[role], { summary }) : summary
}

const ROLE_MARKS = {
  admin: words('{summary} (administrators)'),
  root: words('{summary} (the super administrator)'),
}

/** Returns commander's name for an option's value. */
export const getOptionAttribute = (flag: string) => new Option(flag).attributeName()

type Translate = (sentence: BilingualText) => string

function addGroup(parent: Program, entry: CommandGroup, options: ProgramOptions, say: Translate): void {
  const { name, summary, commands } = entry
  const { columns = PIPE_COLUMNS } = options
  const group = inheritSettings(parent.command(name), parent, say)
    .summary(say(markRequiredRole(entry, summary)))
    .description(say(summary))
    .helpCommand('help [command]', say(PRINT_HELP))
  const singular = findSingular(name)
  if (singular) group.alias(singular)
  for (const command of commands) addEntry(group, command, commands, options, say)
  const usual = findDefaultCommand(entry)
  const path = parent.parent ? `${parent.name()} ${name}` : name
  if (usual) addParagraph(group, () => say(fillTemplate(USUAL, { name: path, usual: usual.name })), columns)
}

/**
 * Adds a paragraph after a command's help. Its lines are wrapped only when the help is printed, because wrapping is
 * slow.
 */
const addParagraph = (to: Program, text: () => string, columns: number) =>
  to.addHelpText('after', () => `\n${wrap(text(), columns)}`)

const USUAL = words('Without a command it is `weir {name} {usual}`; its options: weir {name} {usual} --help')

function addCommand(
  parent: Program,
  command: Command,
  aliases: readonly string[],
  { run, columns = PIPE_COLUMNS }: ProgramOptions,
  say: Translate,
): void {
  const { name, summary, details, failsWhen, isDefault, anyOptions, arguments: declared } = command
  const made = parent.command(name, { isDefault }).aliases([...aliases])
  const marked = markRequiredRole(command, summary)
  const sub = inheritSettings(made, parent, say).summary(say(marked)).description(say(marked))
  const names = Object.keys(declared)
  for (const spec of Object.values(declared)) sub.addArgument(createArgument(spec, say))
  addOptions(sub, command.options, say)
  const takesNone = isDefault === true && names.length === 0
  if (takesNone) sub.allowExcessArguments()
  if (anyOptions) sub.allowUnknownOption().allowExcessArguments()
  if (details) addParagraph(sub, () => say(details), columns)
  if (failsWhen) addParagraph(sub, () => say(describeExitCode(failsWhen)), columns)
  sub.action(async (...received: unknown[]) => {
    // commander would report an unknown subcommand as an excess argument of the default command.
    const [extra] = takesNone ? sub.args : []
    if (extra !== undefined) parent.error(`error: unknown command '${extra}' (there are ${listCommands(parent)})`)
    const values = names.map((key, at) => [key, received[at]] as const)
    const merged = sub.optsWithGlobals<Record<string, string | boolean | undefined>>()
    const own = Object.entries(command.options).map(
      ([key, { flag }]) => [key, merged[getOptionAttribute(flag)]] as const,
    )
    await run(command, {
      options: { ...merged, ...Object.fromEntries(own) },
      args: Object.fromEntries(values) as CommandContext['args'],
    })
  })
}

const listCommands = (group: Program) => group.commands.map((each) => each.name()).join(', ')

// Subcommands made by `command()` inherit output and exit settings from the parent, but not the wording of the help.
const inheritSettings = (sub: Program, parent: Program, say: Translate) =>
  sub.copyInheritedSettings(parent).helpOption('-h, --help', say(PRINT_HELP))

function addOptions(program: Program, options: Record<string, OptionSpec>, say: Translate): void {
  for (const { flag, help, choices, former = [] } of Object.values(options)) {
    const option = new Option(withShortFlag(flag), say(help))
    // commander finds the option of a word by this function.
    Object.assign(option, { is: (word: string) => [option.short, option.long, ...former].includes(word) })
    program.addOption(choices ? option.choices([...choices]) : option)
  }
}

/** Returns the description of an option, with its choices if the flag itself does not list them. */
function describeOption({ description, flags, argChoices }: Option, language: Language): string {
  if (!argChoices || flags.includes(`<${argChoices.join('|')}>`)) return description
  return `${description}${fillTemplate(words(' (one of {choices})'), { choices: joinList(argChoices) })[language]}`
}

const createArgument = ({ spec, help }: ArgumentSpec, say: Translate) => new Argument(spec, say(help))

function configOption<K extends keyof typeof configOptions>(
  key: K,
): { flag: (typeof configOptions)[K]['flag']; help: BilingualText; choices?: readonly string[] } {
  const option: { flag: string; env: string; help: Words; default?: string; choices?: readonly string[] } =
    configOptions[key]
  const { help, env, default: initial } = option
  return {
    flag: option.flag as (typeof configOptions)[K]['flag'],
    help:
      initial === undefined
        ? fillTemplate(BY_VARIABLE, { help, env })
        : fillTemplate(BY_DEFAULT, { help, env, initial }),
    ...(option.choices ? { choices: option.choices } : {}),
  }
}
