// `weir settings set`, `unset` and `edit`: changes take effect immediately.
import { fillTemplate, toWords, type Words } from '../../../core/errors.ts'
import { parseQuotaFlag } from '../../input/amount.ts'
import { formatDollars } from '../../changed-amounts.ts'
import { command, type CommandEnvironment } from '../../command.ts'
import { editTextInEditor, saveTextDraft } from '../../input/editor.ts'
import { requireConfirmation } from '../../input/confirm.ts'
import { readValueOrInput } from '../../input/flags.ts'
import type { MoneyView } from '../../output/format.ts'
import { findWarning, getSettingFacts, isSameValue, toShownSetting } from '../../declared-settings.ts'
import { settingKeyArgument, parseSettingsDocument, writeSettingsDocument } from './look.ts'
import { settingDifferenceView, shownSettingView, type SettingDifference } from '../../nouns/setting.ts'
import { text, type OutputView } from '../../output/view.ts'
import { words } from '../../texts.ts'

const yes = { flag: '--yes', help: words('do not ask where a setting is dangerous') } as const
const CHANGE = words('change it')

/**
 * Asks for confirmation if a declaration warns of such a value; null is the default.
 * @throws UsageError if no person can be asked; Cancelled on no
 */
async function confirmWarning(
  changes: readonly { key: string; value: string | null }[],
  { ask }: Pick<CommandEnvironment, 'ask'>,
  isYes: boolean | undefined,
): Promise<void> {
  for (const { key, value } of changes) {
    const danger = findWarning(key, value)
    if (!danger) continue
    const question = fillTemplate(words('{key}: {danger} Change it?'), { key, danger })
    await requireConfirmation(ask, isYes, CHANGE)(question)
  }
}

/** Prints the warning of a saved change, which the server writes in the reader's language. */
function printWarning(print: CommandEnvironment['print'], { message }: { message: string }): void {
  if (message !== '') print.warn(toWords(message))
}

const nowIs = (key: string, secret: boolean, value: string): Words =>
  secret
    ? fillTemplate(words('{key} is set.'), { key })
    : fillTemplate(words('{key} is now {value}'), { key, value: value === '' ? words('empty') : value })

const movedWords = (key: string, before: string, after: string, money: MoneyView): Words => {
  const text = `${key}: ${formatDollars(Number(before), money)} → ${formatDollars(Number(after), money)}`
  return fillTemplate(words('{text} ({after} quota units)'), { text, after })
}

export const setCommand = command({
  endpoint: 'settings.update',
  name: 'set',
  output: { view: shownSettingView, many: false },
  summary: words('Change a setting; it takes effect at once'),
  arguments: {
    key: settingKeyArgument,
    value: { spec: '<value>', help: words('new value; - reads it from standard input') },
  },
  options: { yes },
  async run({ client, money, print, ask, args: { key, value: given }, options, readInput }) {
    const { secret, isQuota } = getSettingFacts(key)
    const typed = (await readValueOrInput(given, readInput)) ?? ''
    // An amount may be typed in dollars; it is stored in quota units.
    const value = isQuota && typed !== '' ? String(parseQuotaFlag(key, typed)(await money())) : typed
    await confirmWarning([{ key, value }], { ask }, options.yes)
    const weir = await client()
    const before = isQuota ? (await weir.settings.list()).find((row) => row.key === key) : undefined
    printWarning(print, await weir.settings.update({ key, value }))
    const now = { key, value: secret ? '' : value, ...(secret ? { set: value !== '' } : {}) }
    const human = before ? movedWords(key, before.value, value, await money()) : nowIs(key, secret, value)
    await print.done(toShownSetting(now), shownSettingView, { human, quietOutput: key })
  },
})

export const unsetCommand = command({
  endpoint: 'settings.update',
  name: 'unset',
  output: { view: shownSettingView, many: false },
  summary: words('Reset a setting to its default'),
  arguments: { key: settingKeyArgument },
  options: { yes },
  async run({ client, print, ask, args: { key }, options }) {
    const { secret, initial } = getSettingFacts(key)
    await confirmWarning([{ key, value: null }], { ask }, options.yes)
    printWarning(print, await (await client()).settings.update({ key, value: null }))
    await print.done(toShownSetting({ key, value: secret ? '' : initial }), shownSettingView, {
      human: fillTemplate(words('{key} is reset to its default.'), { key }),
      quietOutput: key,
    })
  },
})

export const editCommand = command({
  endpoint: 'settings.update',
  name: 'edit',
  output: { view: settingDifferenceView, many: true },
  summary: words('Change a setting in $EDITOR, or without a key all that differ from their default'),
  details: words(
    'Without a key the file is a JSON object: a key that is added is set, one that is taken out gets its default.',
  ),
  arguments: { key: { spec: '[key]', help: settingKeyArgument.help } },
  options: { yes },
  async run(context) {
    const { client, print, args, options } = context
    if (args.key !== undefined) getSettingFacts(args.key)
    const weir = await client()
    const all = new Map((await weir.settings.list()).map(toShownSetting).map((row) => [row.key, row]))
    const isJson = (key: string) => getSettingFacts(key).kind === 'json'
    const changed = [...all.values()].filter(({ changed, secret }) => changed && !secret)
    const before =
      args.key === undefined
        ? Object.fromEntries(changed.map(({ key, value }) => [key, value]))
        : { [args.key]: all.get(args.key)?.value ?? '' }
    const after = await editSettings(context, args.key, before, isJson)
    const rows = [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter(
        (key) => !isSameValue(key, before[key] ?? all.get(key)?.value ?? '', after[key] ?? all.get(key)?.default ?? ''),
      )
      .map((key): SettingDifference => ({
        key,
        label: getSettingFacts(key).label,
        here: after[key] ?? null,
        there: before[key] ?? null,
      }))
    if (rows.length > 0) {
      await confirmWarning(
        rows.map(({ key, here }) => ({ key, value: here })),
        context,
        options.yes,
      )
      const was = (key: string) => (getSettingFacts(key).secret ? undefined : all.get(key)?.value)
      const changes = rows.map(({ key, here }) => ({ key, value: here, was: was(key) }))
      const saved = await weir.settings.update({ options: changes }).catch(async (error: unknown) => {
        // A conflicting change is reported, and the text typed here is saved as a draft.
        const open = Object.entries(after).filter(([key]) => !getSettingFacts(key).secret)
        const file = await saveTextDraft(`${JSON.stringify(Object.fromEntries(open), null, 2)}\n`)
        print.warn(fillTemplate(words('Your text is kept in {file}'), { file }))
        throw error
      })
      printWarning(print, saved)
    }
    await print.list(rows, settingDifferenceView, { empty: words('Nothing was changed.') })
  },
})

/** Returns the settings as the editor left them: for one key its value alone, otherwise a JSON object. */
async function editSettings(
  context: CommandEnvironment,
  key: string | undefined,
  before: Record<string, string>,
  isJson: (key: string) => boolean,
): Promise<Record<string, string>> {
  if (key === undefined) {
    const rows = Object.entries(before).map(([name, value]) => ({ key: name, value, isJson: isJson(name) }))
    return parseSettingsDocument(
      await editTextInEditor(context, 'settings.json', writeSettingsDocument(rows)),
      'settings.json',
    )
  }
  const { [key]: value = '' } = before
  const text = await editTextInEditor(
    context,
    isJson(key) ? `${key}.json` : `${key}.txt`,
    `${pretty(value, isJson(key))}\n`,
  )
  return { [key]: text.replace(/\r?\n$/, '') }
}

function pretty(value: string, isJson: boolean): string {
  try {
    return isJson ? JSON.stringify(JSON.parse(value), null, 2) : value
  } catch {
    return value
  }
}

const testMailView: OutputView<{ email: string }> = {
  email: text(words('E-MAIL'), 1, ({ email }) => email),
}

export const testMailCommand = command({
  endpoint: 'settings.testMail',
  name: 'test-mail',
  output: { view: testMailView, many: false },
  summary: words('Send a test mail with the mail server as it is set'),
  arguments: { address: { spec: '<address>', help: words('where to send it') } },
  async run({ client, print, ask, args: { address: email } }) {
    const { settings } = await client()
    await ask.during(words('Sending…'), settings.testMail({ email }))
    await print.done({ email }, testMailView, {
      human: fillTemplate(words('A test mail is sent to {email}.'), { email }),
      quietOutput: email,
    })
  },
})
