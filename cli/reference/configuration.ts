// The reference page of the configuration, which is read once, at start.
import { configOptions, toFileVariable, secretVariable, SECRET_VARIABLE_NAMES } from '../../core/config.ts'
import { fillTemplate, joinList, type Words } from '../../core/errors.ts'
import { formatMarkdownCode, formatMarkdownTable, type ReferencePage } from './page.ts'
import { words } from '../texts.ts'

interface Option {
  flag: string
  env: string
  help: Words
  default?: string
  choices?: readonly string[]
}

export const configurationReferencePage: ReferencePage = {
  topic: 'configuration',
  summary: words('Flags and environment variables, read once at start'),
  write: (_, language) =>
    [
      `# ${TITLE[language]}`,
      ONCE[language],
      formatMarkdownTable(
        TITLES.map((title) => title[language]),
        [
          ...Object.values<Option>(configOptions).map((option) => [
            formatMarkdownCode(option.flag),
            formatMarkdownCode(option.env),
            formatMarkdownCode(option.default ?? ''),
            option.choices
              ? `${option.help[language]}${STOP[language]} ${option.choices.map(formatMarkdownCode).join(', ')}`
              : option.help[language],
          ]),
          ['', formatMarkdownCode(secretVariable.env), '', secretVariable.help[language]],
        ],
      ),
      FILES[language],
      TERMINAL[language],
      TELEMETRY[language],
    ].join('\n\n') + '\n',
}

const STOP = words('.')
const TITLE = words('Configuration')
const ONCE = words('Read once at start. A flag wins over its variable, a variable over the default.')
const TITLES = [words('Flag'), words('Variable'), words('Default'), words('Description')]
const TELEMETRY = words(
  'OpenTelemetry is configured by its own variables: `OTEL_EXPORTER_OTLP_ENDPOINT` (or that of one signal) makes `weir serve` send traces, metrics and logs by OTLP; `OTEL_TRACES_SAMPLER`, `OTEL_SERVICE_NAME`, `OTEL_SDK_DISABLED` and the others mean what they mean everywhere.',
)
const FILES = fillTemplate(
  words(
    'Each of {secretVariables} can be read from a file instead: add `_FILE` to its name, such as {env}, and give the path. A newline at the end of the file is ignored.',
  ),
  {
    secretVariables: joinList(SECRET_VARIABLE_NAMES.map(formatMarkdownCode)),
    env: formatMarkdownCode(toFileVariable(secretVariable.env)),
  },
)
const TERMINAL = words(
  'The terminal commands also read `WEIR_SERVER` and `WEIR_ACCESS_TOKEN` (a remote server), `WEIR_CONTEXT` (a context saved by `weir login`), `WEIR_CONFIG_DIR` (the folder of the contexts), `WEIR_LANGUAGE` (`en` or `zh`), `PAGER`, `NO_COLOR` and `FORCE_COLOR`.',
)
