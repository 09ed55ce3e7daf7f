// The manual pages, from the declarations of the commands: `weir(1)`, and one page for each noun.
import { listAliases, type Command, type CommandEntry, type CommandGroup } from '../command.ts'
import { asUntranslatedText, type BilingualText } from '../language.ts'
import { describeExitCode, globalOptions, markRequiredRole, withShortFlag } from '../program.ts'
import { listPlainNames } from '../output/view.ts'
import { EXIT_CODES } from './commands.ts'
import { COMMAND_EXAMPLES } from './examples.data.ts'

/** A manual page: its file name, and its text in the macros of man(7). */
export interface ManPage {
  file: string
  text: string
}

/** Returns the name of the page of a noun: `weir-channels`. */
const getPageName = ({ name }: CommandEntry) => `weir-${name}`

/** Writes all pages, in English. */
export const writeManPages = (entries: readonly CommandEntry[], version: string): ManPage[] => [
  { file: 'weir.1', text: writeOverview(entries, version) },
  ...entries.map((entry) => ({ file: `${getPageName(entry)}.1`, text: writeNoun(entry, version) })),
]

/** Escapes a text, so that it is printed as it is typed: hyphens, quotes, and dots that would begin a macro. */
const escapeRoff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
    .replaceAll('`', '\\(ga')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replaceAll("'", '\\(aq')
    .replace(/[^\0-\x7f]/gu, (one) => `\\[u${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`)

const toText = (text: BilingualText) => escapeRoff(text.en)
const bold = (text: string) => `\\fB${escapeRoff(text)}\\fR`

/** Formats a flag or an argument: what is typed bold, its value in italics. */
const formatTerm = (term: string) =>
  term
    .split(/(<[^>]*>|\[[^\]]*\])/)
    .map((part) => (/^[<[]/.test(part) ? `\\fI${escapeRoff(part)}\\fR` : part.trim() === '' ? part : bold(part)))
    .join('')

const formatTagged = (term: string, text: string) => ['.TP', formatTerm(term), text]

function writeHead(name: string, version: string, summary: BilingualText): string[] {
  return [
    `.TH "${escapeRoff(name.toUpperCase())}" 1 "" "weir ${escapeRoff(version)}" "Weir"`,
    '.SH NAME',
    `${escapeRoff(name)} \\- ${toText(summary)}`,
  ]
}

const formatExamples = (name: string): string[] => {
  const lines = COMMAND_EXAMPLES[name]
  return lines ? ['.SH EXAMPLES', '.EX', ...lines.map(escapeRoff), '.EE'] : []
}

function formatOptions(options: Command['options']): string[] {
  return Object.values(options).flatMap(({ flag, help, choices }) =>
    formatTagged(withShortFlag(flag), `${toText(help)}${choices ? ` (${escapeRoff(choices.join(', '))})` : ''}`),
  )
}

/** Describes a command below its heading. */
function formatCommand(command: Command): string[] {
  const { summary, details, failsWhen, arguments: declared, options, output } = command
  const more = details === undefined ? [] : ['.PP', '.nf', ...toText(details).split('\n'), '.fi']
  return [
    `${toText(markRequiredRole(command, summary))}.`,
    ...more,
    ...Object.values(declared).flatMap(({ spec, help }) => formatTagged(spec, toText(help))),
    ...formatOptions(options),
    ...(failsWhen === undefined ? [] : ['.PP', toText(describeExitCode(failsWhen))]),
    ...(output ? ['.PP', `Fields of the JSON: ${escapeRoff(listPlainNames(output.view).join(', '))}.`] : []),
  ]
}

function listLeaves(group: CommandGroup, path: string): [string, Command][] {
  return group.commands.flatMap((entry): [string, Command][] => {
    const names = 'commands' in entry ? entry.name : [entry.name, ...listAliases(entry, group.commands)].join('|')
    return 'commands' in entry ? listLeaves(entry, `${path} ${names}`) : [[`${path} ${names}`, entry]]
  })
}

const formatSynopsis = (path: string, command: Command): string =>
  [bold(path), ...Object.values(command.arguments).map(({ spec }) => formatTerm(spec)), '[\\fIoptions\\fR]'].join(' ')

function writeNoun(entry: CommandEntry, version: string): string {
  const path = `weir ${entry.name}`
  const commands = 'commands' in entry ? listLeaves(entry, path) : [[path, entry] as [string, Command]]
  const parts =
    'commands' in entry
      ? ['.SH COMMANDS', ...commands.flatMap(([name, one]) => [`.SS "${escapeRoff(name)}"`, ...formatCommand(one)])]
      : ['.SH DESCRIPTION', ...formatCommand(entry)]
  return finish([
    ...writeHead(getPageName(entry), version, entry.summary),
    '.SH SYNOPSIS',
    ...commands.flatMap(([name, one], at) => [...(at > 0 ? ['.br'] : []), formatSynopsis(name, one)]),
    ...formatExamples(entry.name),
    ...parts,
    '.SH EXIT STATUS',
    toText(EXIT_CODES),
    '.SH SEE ALSO',
    formatReferences(['weir']),
  ])
}

const formatReferences = (names: readonly string[]) => names.map((name) => `${bold(name)}(1)`).join(', ')

function writeOverview(entries: readonly CommandEntry[], version: string): string {
  return finish([
    ...writeHead('weir', version, asUntranslatedText('a self-hosted AI model gateway')),
    '.SH SYNOPSIS',
    `${bold('weir')} \\fIcommand\\fR [\\fIoptions\\fR]`,
    '.SH EXAMPLES',
    '.EX',
    ...['init', 'serve', 'attention', 'channels'].flatMap((name) =>
      COMMAND_EXAMPLES[name]!.slice(0, 1).map(escapeRoff),
    ),
    '.EE',
    '.SH COMMANDS',
    ...entries.flatMap((entry) => formatTagged(`weir ${entry.name}`, `${toText(entry.summary)}.`)),
    '.SH OPTIONS OF EVERY COMMAND',
    ...formatOptions(globalOptions),
    '.SH EXIT STATUS',
    toText(EXIT_CODES),
    '.SH SEE ALSO',
    formatReferences(entries.map(getPageName)),
  ])
}

const finish = (lines: readonly string[]) => `${lines.join('\n')}\n`
