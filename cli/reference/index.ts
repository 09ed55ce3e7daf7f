// The reference pages, one line each.
import { commandsReferencePage } from './commands.ts'
import { type ReferencePage, formatMarkdownCode, formatMarkdownTable } from './page.ts'
import { configOptions, toFileVariable, secretVariable, SECRET_VARIABLE_NAMES } from '../../core/config.ts'
import type { Words, Language, ErrorCode } from '../../core/errors.ts'
import {
  fillTemplate,
  joinList,
  errors,
  GatewayError,
  composeWords,
  joinTexts,
  EMPTY_WORDS,
} from '../../core/errors.ts'
import { words } from '../texts.ts'
import { describeReauthentication, describeRequiredScope, type EndpointAccess } from '../../core/contract/endpoint.ts'
import { apiContract, endpointsByName } from '../../core/contracts.ts'
import { listEndpointFields } from '../input/callable-endpoint.ts'
import { declaredSettings } from '../../core/settings/index.ts'
import { cards, getCardTab, tabs, type Card } from '../../core/settings/cards.data.ts'
import type { Setting, SettingWriter } from '../../core/settings/setting.ts'

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
      `# ${CONFIGURATION_TITLE[language]}`,
      ONCE[language],
      formatMarkdownTable(
        CONFIGURATION_COLUMNS.map((title) => title[language]),
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
const CONFIGURATION_TITLE = words('Configuration')
const ONCE = words('Read once at start. A flag wins over its variable, a variable over the default.')
const CONFIGURATION_COLUMNS = [words('Flag'), words('Variable'), words('Default'), words('Description')]
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

const WHO: Record<EndpointAccess, Words> = {
  public: words('all users'),
  user: words('signed-in users'),
  admin: words('administrators'),
  root: words('the super administrator'),
}

export const endpointsReferencePage: ReferencePage = {
  topic: 'endpoints',
  summary: words('Every operation of the management API: path, access, fields'),
  write: (_, language) =>
    [
      `# ${ENDPOINTS_TITLE[language]}`,
      ENDPOINTS_INTRODUCTION[language],
      ...Object.keys(apiContract).flatMap((feature) => [`## ${feature}`, ...listEndpoints(feature, language)]),
    ].join('\n\n') + '\n',
}

const ENDPOINTS_TITLE = words('Endpoints')
const ENDPOINTS_INTRODUCTION = words(
  'Every reply is `{"success": true, "message": "", "data": …}`; a refusal is `{"success": false, "message": "…", "code": "…"}`. From a terminal: `weir call NAME --field value`. From elsewhere: `Authorization: Bearer ACCESS_TOKEN`.',
)
const WHAT = words('{how}, for {who}. {summary}.{proof}{scope}')
const ENDPOINTS_COLUMNS = [words('Field'), words('In'), words('Kind'), words('Needed')]
const YES = words('yes')

function listEndpoints(feature: string, language: Language): string[] {
  return [...endpointsByName]
    .filter(([name]) => name.startsWith(`${feature}.`))
    .flatMap(([name, endpoint]) => {
      const fields = listEndpointFields(endpoint)
      return [
        `### ${name}`,
        fillTemplate(WHAT, {
          how: formatMarkdownCode(`${endpoint.method} ${endpoint.path}`),
          who: WHO[endpoint.access],
          summary: endpoint.summary,
          proof: describeReauthentication(endpoint),
          scope: describeRequiredScope(endpoint),
        })[language],
        ...(fields.length === 0
          ? []
          : [
              formatMarkdownTable(
                ENDPOINTS_COLUMNS.map((title) => title[language]),
                fields.map((field) => [
                  formatMarkdownCode(field.name),
                  field.place,
                  field.shown,
                  field.required ? YES[language] : '',
                ]),
              ),
            ]),
      ]
    })
}

export const errorsReferencePage: ReferencePage = {
  topic: 'errors',
  summary: words('Every refusal: code, kind, status, message'),
  write: (_, language) =>
    [
      `# ${ERRORS_TITLE[language]}`,
      ERRORS_INTRODUCTION[language],
      formatMarkdownTable(
        ERRORS_COLUMNS.map((title) => title[language]),
        (Object.keys(errors) as ErrorCode[]).map((name) => {
          const error = new GatewayError(name)
          const { status, code: relayCode } = error.relay
          const shown = relayCode ? `${status} ${formatMarkdownCode(relayCode)}` : String(status)
          return [formatMarkdownCode(name), error.kind, shown, errors[name][language]]
        }),
      ),
    ].join('\n\n') + '\n',
}

const ERRORS_TITLE = words('Errors')
const ERRORS_INTRODUCTION = words(
  'The management API answers with `code` and `message`; the model API with the status given here, in the format the caller speaks.',
)
const ERRORS_COLUMNS = [words('Code'), words('Kind'), words('Status at the model API'), words('Message')]

const MAX_DEFAULT_LENGTH = 60

const WRITERS: Record<SettingWriter, Words> = {
  admin: EMPTY_WORDS,
  proven_admin: words('Asks for a fresh proof.'),
  root: words('Only for the super administrator, with a fresh proof.'),
}

const SETTINGS_TITLE = words('Settings')
const WHERE = words(
  'Stored in the database; changes apply immediately. Change one with `weir settings set KEY VALUE` or in the console.',
)
const SETTINGS_COLUMNS = [words('Key', { context: 'setting' }), words('Kind'), words('Default'), words('Description')]
const KINDS: Record<Setting<unknown>['value']['kind'], Words> = {
  flag: words('true, false'),
  count: words('whole number'),
  decimal: words('number'),
  text: words('text'),
  long_text: words('long text'),
  choice: words('choice'),
  json: words('JSON'),
}
const EMPTY = words('empty')
const BUILT_IN = words('a built-in list')
const IN_UNIT = words('{kind}, in {unit}')
const BEWARE = words('Beware: {danger}.')
const SECRET = words('Secret: it can be written, not read.')
const FORGOTTEN = words('Forgotten when {keys} changes and it is not given again.')

export const settingsReferencePage: ReferencePage = {
  topic: 'settings',
  summary: words('Every operator option: key, kind, default'),
  write(_, language) {
    const settings = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
    return (
      [
        `# ${SETTINGS_TITLE[language]}`,
        WHERE[language],
        ...(Object.keys(cards) as Card[]).flatMap((card) => [
          `## ${tabs[getCardTab(card)][language]}: ${cards[card][language]}`,
          formatMarkdownTable(
            SETTINGS_COLUMNS.map((title) => title[language]),
            settings
              .filter(([, one]) => one.card === card)
              .sort(([, one], [, other]) => one.order - other.order)
              .map(([key, one]) => row(key, one, language)),
          ),
        ]),
      ].join('\n\n') + '\n'
    )
  },
}

function row(key: string, setting: Setting<unknown>, language: Language): string[] {
  const { value, label, help, unit, danger, secret, sentTo = [], writer } = setting
  const initial = value.encode(value.default)
  const kind = value.choices ? value.choices.join(', ') : KINDS[value.kind][language]
  const stop = words('.')[language]
  const endSentence = (text: string) => `${text.replace(/[.\u3002]$/, '')}${stop}`
  const remarks = [
    danger ? fillTemplate(BEWARE, { danger: composeWords((each) => danger[each].replace(/[.\u3002]$/, '')) }) : NOTHING,
    secret ? SECRET : NOTHING,
    sentTo.length > 0 ? fillTemplate(FORGOTTEN, { keys: joinTexts(sentTo, words(' or ')) }) : NOTHING,
    WRITERS[writer],
  ].map((remark) => remark[language])
  return [
    formatMarkdownCode(key),
    unit ? fillTemplate(IN_UNIT, { kind, unit })[language] : kind,
    initial === ''
      ? EMPTY[language]
      : initial.length > MAX_DEFAULT_LENGTH
        ? BUILT_IN[language]
        : formatMarkdownCode(initial),
    [endSentence(label[language]), endSentence(help[language]), ...remarks]
      .filter((text) => text !== '')
      .join(words(' ')[language]),
  ]
}

const NOTHING = EMPTY_WORDS

export const referencePages: readonly ReferencePage[] = [
  commandsReferencePage,
  settingsReferencePage,
  configurationReferencePage,
  errorsReferencePage,
  endpointsReferencePage,
]
