// Operator options, live at once.
import { words } from '../../../core/errors.ts'
import { declarationOf } from '../../../core/settings/index.ts'
import { isChanged, placeOf, settingText } from '../../declared-settings.ts'
import { text, type View } from '../../view.ts'
import { matches, uiPage } from '../page.ts'

interface Row {
  key: string
  value: string
  set?: boolean
}

const view: View<Row> = {
  key: text(words('KEY', '键'), 1, ({ key }) => key, {
    tone: (row) => (isChanged(row) ? 'strong' : 'plain'),
    flexible: true,
  }),
  value: text(words('VALUE', '值'), 1, ({ value }) => value, {
    flexible: true,
    shown: (row, { language }) => settingText(row)[language],
    tone: (row) => (isChanged(row) ? 'good' : 'plain'),
  }),
  label: text(words('WHAT IT IS', '说明'), 2, () => null, {
    flexible: true,
    shown: ({ key }, { language }) => declarationOf(key)?.label[language] ?? '',
    tone: () => 'faint',
  }),
  help: text(words('HELP', '帮助'), 0, () => null, {
    shown: ({ key }, { language }) => declarationOf(key)?.help[language] ?? '',
  }),
}

export const settings = uiPage<Row>({
  name: 'settings',
  title: words('Settings', '设置'),
  view,
  every_ms: 30_000,
  async load({ client }, filter) {
    const all = await client.settings.list()
    const rows = all
      .filter(({ key }) => matches(filter, key, declarationOf(key)?.label.en, declarationOf(key)?.label.zh))
      .sort((one, other) => placeOf(one) - placeOf(other))
    return { rows, total: rows.length }
  },
  actions: [
    {
      key: 'e',
      name: words('edit', '编辑'),
      form: ({ key, value }) => {
        const declaration = declarationOf(key)
        return [
          {
            name: 'value',
            label: declaration?.label ?? key,
            kind: declaration?.secret ? 'secret' : 'text',
            initial: declaration?.secret ? '' : value,
            ...(declaration?.help ? { hint: declaration.help } : {}),
          },
        ]
      },
      sure: ({ key }, { value = '' }) => {
        const declaration = declarationOf(key)
        const danger = declaration?.danger
        const what = declaration?.secret ? '••••' : value
        return words(
          `${danger ? `${danger.en} ` : ''}Set ${key} to “${what}”?`,
          `${danger ? `${danger.zh} ` : ''}将 ${key} 设为“${what}”？`,
        )
      },
      async run({ client }, { key }, { value = '' }) {
        await client.settings.update({ key, value })
        return words(`${key} is changed.`, `${key} 已更改。`)
      },
    },
  ],
  copied: ({ key }) => key,
})
