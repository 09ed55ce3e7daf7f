// `weir settings ls`, `get`, `diff` and `explain`.
import { fillTemplate } from '../../../core/errors.ts'
import { tabs } from '../../../core/settings/cards.data.ts'
import { command, LIST_COMMAND } from '../../command.ts'
import {
  describeSettingPlace,
  getScreenPosition,
  getSettingFacts,
  isSameValue,
  toShownSetting,
} from '../../declared-settings.ts'
import { GatewayRefusal, UsageError } from '../../failure.ts'
import { settingDifferenceView, explainedSettingView, shownSettingView } from '../../nouns/setting.ts'
import { readDocumentText } from '../../output/signed-document.ts'
import { words } from '../../texts.ts'

// Settings in a file: a JSON object of keys and values.

/**
 * Parses a file into texts by key; values other than strings become JSON.
 * @throws UsageError if it is not a JSON object
 */
export function parseSettingsDocument(text: string, file: string): Record<string, string> {
  const parsed = parse(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new UsageError(fillTemplate(words('{file} must be a JSON object of keys and values.'), { file }))
  return Object.fromEntries(
    Object.entries(parsed).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

export const readSettingsDocument = async (file: string): Promise<Record<string, string>> =>
  parseSettingsDocument(await readDocumentText(file), file)

/** Writes JSON values unquoted, so that they can be edited line by line. */
export function writeSettingsDocument(settings: readonly { key: string; value: string; isJson: boolean }[]): string {
  const entries = settings.map(({ key, value, isJson }) => [key, isJson ? (parse(value) ?? value) : value] as const)
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const settingKeyArgument = { spec: '<key>', help: words('key of the setting') } as const

export const listCommand = command({
  endpoint: 'settings.list',
  ...LIST_COMMAND,
  output: { view: shownSettingView, many: true },
  summary: words('List settings with their values'),
  options: {
    tab: {
      flag: '--tab <name>',
      help: words('only those of one tab of the console'),
      choices: Object.keys(tabs),
    },
    changed: {
      flag: '--changed',
      help: words('only those that differ from their default'),
    },
  },
  async run({ client, print, options }) {
    const all = await (await client()).settings.list()
    const rows = all
      .sort((one, other) => getScreenPosition(one) - getScreenPosition(other))
      .map(toShownSetting)
      .filter(({ tab }) => options.tab === undefined || tab === options.tab)
      .filter(({ changed }) => !options.changed || changed)
    await print.list(rows, shownSettingView, { empty: words('No settings.') })
  },
})

const UNREADABLE = words('The value of a secret setting can be written, not read.')

export const getCommand = command({
  endpoint: 'settings.list',
  name: 'get',
  readOnly: true,
  output: { view: shownSettingView, many: false },
  summary: words('Print the value of a setting'),
  arguments: { key: settingKeyArgument },
  async run({ client, print, args }) {
    const { secret } = getSettingFacts(args.key)
    const row = (await (await client()).settings.list()).find(({ key }) => key === args.key)
    if (!row)
      throw new GatewayRefusal(
        fillTemplate(words('The server has no setting {key}: is it of another version?'), { key: args.key }),
        'setting.unknown',
      )
    if (secret) print.warn(UNREADABLE)
    if (print.json || print.form === 'csv')
      return print.one(toShownSetting(row), shownSettingView, { quietOutput: row.value })
    await print.text(row.value, row.value)
  },
})

export const diffCommand = command({
  endpoint: 'settings.list',
  name: 'diff',
  readOnly: true,
  output: { view: settingDifferenceView, many: true },
  summary: words('List settings that differ from their defaults, or from a file'),
  failsWhen: words('something differs from the file'),
  details: words(
    'A file is a JSON object of keys and values, as `weir settings edit` shows it; what it does not name is the default.',
  ),
  arguments: { file: { spec: '[file]', help: words('file to compare with') } },
  async run({ client, print, args, failed }) {
    const other = args.file === undefined ? undefined : await readSettingsDocument(args.file)
    const all = (await (await client()).settings.list())
      .sort((one, two) => getScreenPosition(one) - getScreenPosition(two))
      .map(toShownSetting)
    const rows = all
      .filter(({ secret }) => !secret)
      .filter((row) => !isSameValue(row.key, row.value, other?.[row.key] ?? row.default))
      .map(({ key, value, changed, default: usual, label }) => ({
        key,
        label,
        here: changed ? value : null,
        there: other ? (other[key] ?? null) : usual,
      }))
    await print.list(rows, settingDifferenceView, { empty: words('No difference.') })
    if (other && rows.length > 0) failed()
  },
})

export const explainCommand = command({
  name: 'explain',
  readOnly: true,
  output: { view: explainedSettingView, many: false },
  summary: words('Describe a setting: its effect, its values and who may change it'),
  arguments: { key: settingKeyArgument },
  async run({ print, args, findEndpointCommand }) {
    const facts = getSettingFacts(args.key)
    const { label, help, unit, danger, kind, choices, initial, secret, writer, test } = facts
    const details = {
      key: args.key,
      label,
      help,
      unit,
      beware: danger,
      place: describeSettingPlace(facts),
      writer,
      takes: choices.join(', ') || kind.replace('_', ' '),
      default: initial,
      secret,
      test: test && `weir ${(await findEndpointCommand(test)) ?? `call ${test}`}`,
    }
    await print.one(details, explainedSettingView, { quietOutput: help.en })
  },
})
