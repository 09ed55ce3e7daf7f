// Operator options, effective immediately.
import { fillTemplate, joinTexts, toWords, type Words } from '../../../core/errors.ts'
import {
  describeSettingPlace,
  findSettingFacts,
  findWarning,
  getScreenPosition,
  toShownSetting,
} from '../../declared-settings.ts'
import { asUntranslatedText } from '../../language.ts'
import { shownSettingView, type ShownSetting } from '../../nouns/setting.ts'
import type { FormQuestion } from '../../parts/form-state.ts'
import { toSingleLineJson } from '../editor-text.ts'
import { matchesFilter, declareUiPage, type OpenedDetails } from '../page.ts'
import { words } from '../../texts.ts'

/** Returns the question that edits a setting: JSON on one line, a choice for enumerations. */
function valueQuestion({ key, value, secret, label }: ShownSetting): FormQuestion {
  const { help: hint, choices = [] } = findSettingFacts(key) ?? {}
  const question = { name: 'value', label, ...(hint ? { hint } : {}) }
  if (choices.length > 0)
    return {
      ...question,
      kind: 'choice',
      initial: value,
      choices: choices.map((one) => ({ value: one, label: asUntranslatedText(one) })),
    }
  return { ...question, kind: secret ? 'secret' : 'text', initial: secret ? '' : toSingleLineJson(value) }
}

/** Puts the declaration's warning about a value before the question; null is the default. */
function warnedQuestion({ key }: ShownSetting, value: string | null, question: Words) {
  const danger = findWarning(key, value)
  return danger ? joinTexts([danger, question], toWords(' ')) : question
}

export const settingsPage = declareUiPage<ShownSetting>({
  name: 'settings',
  title: words('Settings'),
  view: shownSettingView,
  empty: words('No settings.'),
  every_ms: 30_000,
  async load({ client }, filter) {
    const all = await client.settings.list()
    const rows = all
      .sort((one, other) => getScreenPosition(one) - getScreenPosition(other))
      .map(toShownSetting)
      .filter(({ key, label, tab }) =>
        matchesFilter(filter, key, ...Object.values(label), tab, findSettingFacts(key)?.help.en),
      )
    return { rows, total: rows.length }
  },
  actions: [
    {
      key: 'e',
      name: words('edit'),
      edits: true,
      form: (row) => [valueQuestion(row)],
      sure: (row, { value = '' }) => {
        const what = row.secret ? '••••' : value
        return warnedQuestion(row, value, fillTemplate(words('Set {key} to “{what}”?'), { key: row.key, what }))
      },
      command: ({ key }, _, changed) =>
        changed.value === undefined ? [] : ['settings', 'set', '--yes', '--', key, changed.value],
    },
    {
      key: 'u',
      name: words('unset'),
      unless: ({ changed }) => (changed ? undefined : words('It is its default already.')),
      sure: (row) =>
        warnedQuestion(
          row,
          null,
          fillTemplate(words('Make {key} its default again, “{initial}”?'), { key: row.key, initial: row.default }),
        ),
      command: ({ key }) => ['settings', 'unset', '--yes', key],
    },
    {
      key: 'D',
      name: words('all that differ from their defaults'),
      rowless: true,
      command: () => ['settings', 'diff'],
    },
  ],
  id: ({ key }) => key,
  copied: ({ key }) => key,
  async opened({ language }, { key }): Promise<OpenedDetails> {
    const facts = findSettingFacts(key)
    if (!facts) return []
    const { help, danger, kind, choices } = facts
    return [
      [words('HELP'), help[language]],
      [words('BEWARE'), danger?.[language] ?? ''],
      [words('PLACE'), describeSettingPlace(facts)[language]],
      [words('TAKES'), choices.join(', ') || kind.replace('_', ' ')],
    ]
  },
})
