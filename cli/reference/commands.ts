// The reference page of commands, from their declarations, and the page of one noun.
import { fillTemplate, type Language } from '../../core/errors.ts'
import type { Command, CommandEntry, CommandOutput } from '../command.ts'
import { pickLanguage, type BilingualText } from '../language.ts'
import { describeExitCode, globalOptions, markRequiredRole, withShortFlag } from '../program.ts'
import { words } from '../texts.ts'
import { OUTPUT_SCHEMA_VERSION, listPlainNames, type FieldKind } from '../output/view.ts'
import { COMMAND_EXAMPLES } from './examples.data.ts'
import { formatMarkdownCode, formatMarkdownTable, type ReferencePage } from './page.ts'

export const commandsReferencePage: ReferencePage = {
  topic: 'commands',
  summary: words('Every command of the terminal with its options and the fields it prints'),
  write: (commands, language) => {
    const page = writer(language)
    return (
      [
        `# ${page.say(words('Commands'))}`,
        page.say(EXIT_CODES),
        page.say(OUTPUT),
        `## ${page.say(words('Options of every command'))}`,
        page.optionTable(globalOptions),
        ...commands.flatMap((entry) => page.describeEntry(entry)),
      ].join('\n\n') + '\n'
    )
  },
}

/** Writes the page of one noun: what it is for, an example, and its commands. */
export function writeNounPage(entry: CommandEntry, language: Language): string {
  const page = writer(language)
  const more = words('Options of every command and the exit codes: weir docs commands')
  const [heading = '', summary = '', ...rest] = page.describeEntry(entry, 'weir', '#')
  const example = ['```sh', ...(COMMAND_EXAMPLES[entry.name] ?? []), '```'].join('\n')
  return `${[heading, summary, page.say(words('Example:')), example, ...rest, page.say(more)].join('\n\n')}\n`
}

export const EXIT_CODES = words(
  'Exit codes: 0 done, 1 refused or failed, 2 invalid usage, 130 cancelled. Without a terminal there are no prompts: a missing value is an error that names its flag.',
)
const OUTPUT = fillTemplate(
  words(
    'Fields of `--json` and `--csv` are of output schema {outputSchema}: names and kinds stay as they are, new ones may be added. States are words in every language, amounts are quota units with the dollars as `NAME_usd`, times are ISO 8601 in UTC, and `null` means no value.',
  ),
  { outputSchema: OUTPUT_SCHEMA_VERSION },
)

const KINDS: Record<FieldKind, BilingualText> = {
  text: words('text'),
  word: words('one of'),
  count: words('whole number'),
  number: words('number'),
  money: words('quota units'),
  time: words('time'),
  ms: words('milliseconds'),
  flag: words('true or false'),
  list: words('list'),
  object: words('object'),
}

function writer(language: Language) {
  const say = (text: BilingualText) => pickLanguage(text, language)
  const stop = words('.')[language]

  function fieldTable({ view, many }: CommandOutput): string {
    const titled = say(many ? words('Fields of each row') : words('Fields'))
    const rows = Object.entries(view).map(([name, { kind, title, names }]) => [
      listPlainNames({ [name]: view[name]! })
        .map(formatMarkdownCode)
        .join(', '),
      kind === 'word' && names
        ? `${say(KINDS.word)} ${Object.keys(names).map(formatMarkdownCode).join(', ')}`
        : say(KINDS[kind]),
      say(title),
    ])
    return `${titled}\n\n${formatMarkdownTable([say(words('Field')), say(words('Kind')), say(words('Title'))], rows)}`
  }

  function optionTable(options: Command['options']): string {
    return formatMarkdownTable(
      [say(words('Option')), say(words('Description'))],
      Object.values(options).map(({ flag, help, choices }) => [
        formatMarkdownCode(withShortFlag(flag)),
        choices ? `${say(help)}${stop} ${choices.map(formatMarkdownCode).join(', ')}` : say(help),
      ]),
    )
  }

  function describe(command: Command, path: string, heading: string): string[] {
    const { summary, details, failsWhen, arguments: declared, options, output } = command
    const specs = Object.values(declared)
    const detailText = details === undefined ? undefined : say(details)
    return [
      `${heading} ${[path, ...specs.map(({ spec }) => spec)].join(' ').replaceAll('<', '\\<')}`,
      `${say(markRequiredRole(command, summary))}${stop}`,
      ...(detailText === undefined ? [] : [detailText.includes('\n') ? '```\n' + detailText + '\n```' : detailText]),
      ...(failsWhen === undefined ? [] : [say(describeExitCode(failsWhen))]),
      ...(specs.length === 0
        ? []
        : [specs.map(({ spec, help }) => `- ${formatMarkdownCode(spec)}: ${say(help)}`).join('\n')]),
      ...(Object.keys(options).length === 0 ? [] : [optionTable(options)]),
      ...(output ? [fieldTable(output)] : []),
    ]
  }

  const describeEntry = (entry: CommandEntry, path = 'weir', heading = '##'): string[] => {
    const name = `${path} ${entry.name}`
    if (!('commands' in entry)) return describe(entry, name, heading)
    const inner = entry.commands.flatMap((command) => describeEntry(command, name, `${heading}#`))
    return [`${heading} ${name}`, `${say(entry.summary)}${stop}`, ...inner]
  }

  return { say, optionTable, describeEntry }
}
