// The commander program, built from the list of commands: parsing, help and usage errors.
import { Argument, Command as Program, Option } from 'commander'
import stringWidth from 'fast-string-width'
import { configOptions } from '../core/config.ts'
import { fillTemplate, type Language, words, type Words } from '../core/errors.ts'
import {
  type ArgumentSpec,
  type Command,
  type CommandGroup,
  type Context,
  type Entry,
  findDefaultCommand,
  type OptionSpec,
} from './command.ts'
import { inLanguage, type Said } from './language.ts'

// Errors of the command-line parser, in the person's language.

/** The parser's English sentences; `$1` and further placeholders are quoted parts. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^unknown option '(.+?)'/, '未知选项 $1'],
  [/^unknown command '(.+?)' \(there are (.+?)\)/, '未知命令 $1（可用：$2）'],
  [/^unknown command '(.+?)'/, '未知命令 $1'],
  [/^missing required argument '(.+?)'/, '缺少参数 $1'],
  [/^option '(.+?)' argument missing/, '选项 $1 缺少值'],
  [/^option '(.+?)' argument '(.*?)' is invalid\. Allowed choices are (.+?)\./, '选项 $1 的值 $2 无效：可选 $3。'],
  [/^command-argument value '(.*?)' is invalid for argument '(.+?)'\./, '参数 $2 的值 $1 无效。'],
  [
    /^too many arguments(?: for '(.+?)')?\. Expected (\d+) arguments? but got (\d+)(?:: (.+?))?\./,
    '参数过多：应为 $2 个，给出了 $3 个。',
  ],
  [/\(Did you mean one of (.+?)\?\)/, '（是否指 $1？）'],
  [/\(Did you mean (.+?)\?\)/, '（是否指 $1？）'],
]

/** Translates the parser's sentence. */
export const usageMessage = (text: string, language: Language): string =>
  language === 'en'
    ? text
    : SENTENCES.reduce((sentence, [pattern, translated]) => sentence.replace(pattern, translated), text)

// Text for people, in lines that fit the terminal. Libraries such as wrap-ansi break only at blanks, which Chinese text
// lacks.

// A line breaks after a word or a Chinese character, but not before a closing or after an opening mark.
const OPENING = '（“「《'
const CLOSING = '，。、：；！？）”」》…'
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

const BY_VARIABLE = words('{help} ({env})', '{help}（{env}）')
const BY_DEFAULT = words('{help} ({env}, otherwise {initial})', '{help}（{env}，默认 {initial}）')

/** Options that every command accepts, before or after its name. */
export const globalOptions: Record<string, OptionSpec> = {
  json: { flag: '--json', help: words('print JSON and nothing else', '只输出 JSON') },
  jq: {
    flag: '--jq <filter>',
    help: words('print what this jq filter makes of the JSON', '按此 jq 过滤器处理 JSON 后输出'),
  },
  csv: { flag: '--csv', help: words('print CSV with a head line', '输出带表头的 CSV') },
  columns: {
    flag: '--columns <list>',
    help: words(
      'comma list of the fields to print; `weir docs commands` has them',
      '要输出的字段，逗号分隔；见 `weir docs commands`',
    ),
  },
  quiet: {
    flag: '--quiet',
    help: words(
      'print only what a script needs: ids; of a new token its key',
      '只输出脚本所需：编号；新令牌则输出其密钥',
    ),
  },
  watch: {
    flag: '--watch <span>',
    help: words(
      'run again after each span, such as 2s, until Ctrl+C; for commands that only look',
      '每隔一段时间（如 2s）重新运行，直到 Ctrl+C；仅限只读命令',
    ),
  },
  server: {
    flag: '--server <url>',
    help: words('manage the Weir at this address (WEIR_SERVER)', '管理此地址的 Weir（WEIR_SERVER）'),
  },
  context: {
    flag: '--context <context>',
    help: words(
      'the gateway of this name: see `weir context` (WEIR_CONTEXT); local is this machine',
      '使用此名称的网关：见 `weir context`（WEIR_CONTEXT）；local 为本机',
    ),
  },
  accessToken: {
    flag: '--access-token <token>',
    help: words(
      'access token for --server; better given as WEIR_ACCESS_TOKEN, which shows in no process list',
      '用于 --server 的访问令牌；最好用 WEIR_ACCESS_TOKEN 给出，以免出现在进程列表中',
    ),
  },
  data: configOption('data'),
  database: configOption('database'),
  logLevel: configOption('log_level'),
  logFormat: configOption('log_format'),
  language: {
    flag: '--language <code>',
    help: words(
      'language of help, tables and refusals (WEIR_LANGUAGE, otherwise LANG)',
      '帮助、表格与错误信息的语言（WEIR_LANGUAGE，否则 LANG）',
    ),
    choices: ['en', 'zh'],
  },
}

/** Listening address, for the commands that listen or must know it. */
export const addressOptions = {
  host: configOption('host'),
  port: configOption('port'),
  basePath: configOption('base_path'),
}

/** Option of the command that serves. */
export const accessLogOption = { accessLog: configOption('access_log') }

/** Separate port for metrics and probes. */
export const metricsOptions = { metricsPort: configOption('metrics_port'), metricsHost: configOption('metrics_host') }

/** Place to which rows of the log move. */
export const logsOption = { logs: configOption('logs') }

/** Shared rate counters of several instances. */
export const redisOption = { redis: configOption('redis') }

/** Whether answers wait for the database. */
export const journalOption = { journal: configOption('journal') }

/** Option of the commands that can create a new database. */
export const newDatabaseOption = { newDatabase: configOption('new_database') }

export interface ProgramOptions {
  commands: readonly Entry[]
  version: string
  language: Language
  stdout(text: string): void
  stderr(text: string): void
  columns?: number
  run(command: Command, given: Pick<Context, 'options' | 'args'>): Promise<void>
}

/** Creates the program; `parseAsync` runs one command or throws CommanderError. */
export function createProgram(options: ProgramOptions): Program {
  const { commands, version, language, stdout, stderr, columns } = options
  const say = (sentence: Said) => inLanguage(sentence, language)
  const program = new Program('weir')
    .description(say(ABOUT))
    .version(version, '--version', say(words('print the version', '输出版本')))
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
    })
    .configureOutput({
      writeOut: stdout,
      writeErr: stderr,
      outputError: (text, write) => write(`weir: ${usageMessage(text.replace(/^error: /, ''), language)}`),
      getOutHelpWidth: () => columns ?? PIPE_COLUMNS,
      getErrHelpWidth: () => columns ?? PIPE_COLUMNS,
    })
  addOptions(program, globalOptions, say)
  for (const entry of commands) addEntry(program, entry, options, say)
  return program
}

function addEntry(parent: Program, entry: Entry, options: ProgramOptions, say: Say): void {
  if ('commands' in entry) addGroup(parent, entry, options, say)
  else addCommand(parent, entry, options, say)
}

/** Width of the help, in characters, if there is no terminal. */
const PIPE_COLUMNS = 100
/** Minimum width of the texts next to flags, in columns. */
const MIN_TEXT_COLUMNS = 16

const ABOUT = words(
  'Weir: a self-hosted gateway in front of your model providers. Start with `weir init`, then `weir serve`.',
  'Weir：部署在模型服务商之前的自托管网关。先运行 `weir init`，再运行 `weir serve`。',
)
const PRINT_HELP = words('print help', '输出帮助')
const TITLES: Record<string, Said> = {
  'Usage:': words('Usage:', '用法:'),
  'Arguments:': words('Arguments:', '参数：'),
  'Options:': words('Options:', '选项：'),
  'Commands:': words('Commands:', '命令：'),
}

/** Describes a command's own exit code, for the help and the reference. */
export const exitSentence = (failsWhen: Said): Words => fillTemplate(EXIT_ONE, { when: failsWhen })

const EXIT_ONE = words('Exit code 1 where {when}.', '若{when}，退出码为 1。')

/** Returns commander's name for an option's value. */
export const attributeOf = (flag: string) => new Option(flag).attributeName()

type Say = (sentence: Said) => string

function addGroup(parent: Program, entry: CommandGroup, options: ProgramOptions, say: Say): void {
  const { name, summary, commands } = entry
  const { columns = PIPE_COLUMNS } = options
  const group = inheritSettings(parent.command(name), parent, say)
    .summary(say(summary))
    .description(say(summary))
    .helpCommand('help [command]', say(PRINT_HELP))
  for (const command of commands) addEntry(group, command, options, say)
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

const USUAL = words(
  'Without a command it is `weir {name} {usual}`; its options: weir {name} {usual} --help',
  '不带命令时即 `weir {name} {usual}`；其选项见：weir {name} {usual} --help',
)

function addCommand(
  parent: Program,
  command: Command,
  { run, columns = PIPE_COLUMNS }: ProgramOptions,
  say: Say,
): void {
  const { name, aliases = [], summary, details, failsWhen, isDefault, anyOptions, arguments: declared } = command
  const made = parent.command(name, { isDefault }).aliases([...aliases])
  const sub = inheritSettings(made, parent, say).summary(say(summary)).description(say(summary))
  const names = Object.keys(declared)
  for (const spec of Object.values(declared)) sub.addArgument(createArgument(spec, say))
  addOptions(sub, command.options, say)
  const takesNone = isDefault === true && names.length === 0
  if (takesNone) sub.allowExcessArguments()
  if (anyOptions) sub.allowUnknownOption().allowExcessArguments()
  if (details) addParagraph(sub, () => say(details), columns)
  if (failsWhen) addParagraph(sub, () => say(exitSentence(failsWhen)), columns)
  sub.action(async (...received: unknown[]) => {
    // commander would report an unknown subcommand as an excess argument of the default command.
    const [extra] = takesNone ? sub.args : []
    if (extra !== undefined) parent.error(`error: unknown command '${extra}' (there are ${listCommands(parent)})`)
    const values = names.map((key, at) => [key, received[at]] as const)
    const merged = sub.optsWithGlobals<Record<string, string | boolean | undefined>>()
    const own = Object.entries(command.options).map(([key, { flag }]) => [key, merged[attributeOf(flag)]] as const)
    await run(command, {
      options: { ...merged, ...Object.fromEntries(own) },
      args: Object.fromEntries(values) as Context['args'],
    })
  })
}

const listCommands = (group: Program) => group.commands.map((each) => each.name()).join(', ')

// Subcommands made by `command()` inherit output and exit settings from the parent, but not the wording of the help.
const inheritSettings = (sub: Program, parent: Program, say: Say) =>
  sub.copyInheritedSettings(parent).helpOption('-h, --help', say(PRINT_HELP))

function addOptions(program: Program, options: Record<string, OptionSpec>, say: Say): void {
  for (const { flag, help, choices } of Object.values(options)) {
    const option = new Option(flag, say(help))
    program.addOption(choices ? option.choices([...choices]) : option)
  }
}

/** Returns the description of an option, with its choices if the flag itself does not list them. */
function describeOption({ description, flags, argChoices }: Option, language: Language): string {
  if (!argChoices || flags.includes(`<${argChoices.join('|')}>`)) return description
  const [one, other] = [argChoices.join(', '), argChoices.join('、')]
  return `${description}${words(` (one of ${one})`, `（可选：${other}）`)[language]}`
}

const createArgument = ({ spec, help }: ArgumentSpec, say: Say) => new Argument(spec, say(help))

function configOption<K extends keyof typeof configOptions>(
  key: K,
): { flag: (typeof configOptions)[K]['flag']; help: Said; choices?: readonly string[] } {
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
