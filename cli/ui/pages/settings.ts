// Operator options, effective immediately.
import { words } from '../../../core/errors.ts'
import { findDeclaration } from '../../../core/settings/index.ts'
import { findWarning, placeOf, placeWords, shownSetting } from '../../declared-settings.ts'
import { asData } from '../../language.ts'
import { settingView, type ShownSetting } from '../../nouns/setting.ts'
import type { Question } from '../../parts/form-state.ts'
import { matches, uiPage, type Opened } from '../page.ts'

/** Returns the question that edits a setting: JSON on one line, a choice for enumerations. */
function valueQuestion({ key, value, secret, label }: ShownSetting): Question {
  const declaration = findDeclaration(key)
  const hint = declaration?.help
  const question = { name: 'value', label, ...(hint ? { hint } : {}) }
  const choices = declaration?.value.choices
  if (choices)
    return {
      ...question,
      kind: 'choice',
      initial: value,
      choices: choices.map((one) => ({ value: one, label: asData(one) })),
    }
  return { ...question, kind: secret ? 'secret' : 'text', initial: secret ? '' : onOneLine(value) }
}

function onOneLine(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value))
  } catch {
    return value
  }
}

/** Maximum length of a value that can be edited on one line. */
const MAX_LINE_LENGTH = 400
const TOO_LONG = words(
  'This is too long for one line: change it with `weir settings edit` in a shell.',
  '内容过长，无法在一行中编辑：请在终端中用 `weir settings edit` 修改。',
)
const tooLong = (value: string) => {
  const line = onOneLine(value)
  return line.length > MAX_LINE_LENGTH || line.includes('\n')
}

/** Puts the declaration's warning about a value before the question; null is the default. */
function warnedQuestion({ key }: ShownSetting, value: string | null, en: string, zh: string) {
  const danger = findWarning(key, value)
  return words(`${danger ? `${danger.en} ` : ''}${en}`, `${danger ? `${danger.zh} ` : ''}${zh}`)
}

export const settings = uiPage<ShownSetting>({
  name: 'settings',
  title: words('Settings', '设置'),
  view: settingView,
  empty: words('No settings.', '没有设置。'),
  every_ms: 30_000,
  async load({ client }, filter) {
    const all = await client.settings.list()
    const rows = all
      .sort((one, other) => placeOf(one) - placeOf(other))
      .map(shownSetting)
      .filter(({ key, label, tab }) => matches(filter, key, label.en, label.zh, tab, findDeclaration(key)?.help.en))
    return { rows, total: rows.length }
  },
  actions: [
    {
      key: 'e',
      name: words('edit', '编辑'),
      unless: ({ value }) => (tooLong(value) ? TOO_LONG : undefined),
      form: (row) => [valueQuestion(row)],
      sure: (row, { value = '' }) => {
        const what = row.secret ? '••••' : value
        return warnedQuestion(row, value, `Set ${row.key} to “${what}”?`, `将 ${row.key} 设为“${what}”？`)
      },
      command: ({ key }, _, changed) =>
        changed.value === undefined ? [] : ['settings', 'set', '--yes', '--', key, changed.value],
    },
    {
      key: 'u',
      name: words('unset', '恢复默认'),
      unless: ({ changed }) => (changed ? undefined : words('It is its default already.', '已是默认值。')),
      sure: (row) =>
        warnedQuestion(
          row,
          null,
          `Make ${row.key} its default again, “${row.default}”?`,
          `将 ${row.key} 恢复为默认值“${row.default}”？`,
        ),
      command: ({ key }) => ['settings', 'unset', '--yes', key],
    },
    {
      key: 'D',
      name: words('all that differ from their defaults', '所有非默认值'),
      rowless: true,
      command: () => ['settings', 'diff'],
    },
  ],
  id: ({ key }) => key,
  copied: ({ key }) => key,
  async opened({ language }, { key }): Promise<Opened> {
    const declaration = findDeclaration(key)
    if (!declaration) return []
    const { help, danger, value } = declaration
    return [
      [words('HELP', '说明'), help[language]],
      [words('BEWARE', '注意'), danger?.[language] ?? ''],
      [words('PLACE', '位置'), placeWords(declaration)[language]],
      [words('TAKES', '取值'), value.choices?.join(', ') ?? value.kind.replace('_', ' ')],
    ]
  },
})
