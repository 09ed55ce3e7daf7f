// The page of commands: the terminal face as declared.
import type { Command, Entry } from '../command.ts'
import { exitSentence, globalOptions } from '../program.ts'
import { code, markdownTable, type Page } from './page.ts'

export const commandsPage: Page = {
  topic: 'commands',
  summary: 'Every command of the terminal with its options',
  write: (commands) =>
    [
      '# Commands',
      'Exit codes: 0 done, 1 refused or failed, 2 written wrongly, 130 cancelled. Without a terminal nothing is ever asked: what is missing is an error that names its flag.',
      '## Options of every command',
      optionTable(globalOptions),
      ...commands.flatMap(describeEntry),
    ].join('\n\n') + '\n',
}

const describeEntry = (entry: Entry): string[] =>
  'commands' in entry
    ? [
        `## weir ${entry.name}`,
        `${entry.summary}.`,
        ...entry.commands.flatMap((command) => describe(command, `weir ${entry.name} ${command.name}`, '###')),
      ]
    : describe(entry, `weir ${entry.name}`, '##')

function describe(
  { summary, details, failsWhen, arguments: declared, options }: Command,
  path: string,
  heading: string,
): string[] {
  const words = Object.values(declared).map(({ spec }) => spec)
  const example = details === undefined ? [] : [details.includes('\n') ? '```\n' + details + '\n```' : details]
  return [
    `${heading} ${[path, ...words].join(' ').replaceAll('<', '\\<')}`,
    `${summary}.`,
    ...example,
    ...(failsWhen === undefined ? [] : [exitSentence(failsWhen)]),
    ...(words.length === 0
      ? []
      : [
          Object.values(declared)
            .map(({ spec, help }) => `- ${code(spec)}: ${help}`)
            .join('\n'),
        ]),
    ...(Object.keys(options).length === 0 ? [] : [optionTable(options)]),
  ]
}

const optionTable = (options: Command['options']) =>
  markdownTable(
    ['Option', 'What it does'],
    Object.values(options).map(({ flag, help, choices }) => [
      code(flag),
      choices ? `${help} (${choices.join(', ')})` : help,
    ]),
  )
