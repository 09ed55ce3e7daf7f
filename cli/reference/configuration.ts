// The page of configuration: what is read once, at start.
import { configOptions, secretVariable } from '../../core/config.ts'
import { code, markdownTable, type Page } from './page.ts'

interface Option {
  flag: string
  env: string
  help: string
  default?: string
  choices?: readonly string[]
}

export const configurationPage: Page = {
  topic: 'configuration',
  summary: 'Flags and environment variables, read once at start',
  write: () =>
    [
      '# Configuration',
      'Read once at start. A flag wins over its variable, a variable over the default.',
      markdownTable(
        ['Flag', 'Variable', 'Default', 'What it is'],
        [
          ...Object.values<Option>(configOptions).map((option) => [
            code(option.flag),
            code(option.env),
            code(option.default ?? ''),
            option.choices ? `${option.help}: ${option.choices.join(', ')}` : option.help,
          ]),
          ['', code(secretVariable.env), '', secretVariable.help],
        ],
      ),
      'The terminal commands also read `WEIR_SERVER`, `WEIR_ACCESS_TOKEN` (a server elsewhere), `WEIR_LANGUAGE` (`en` or `zh`) and `NO_COLOR`.',
    ].join('\n\n') + '\n',
}
