// The reference page of settings: operator options as declared.
import { fillTemplate, words, type Language, type Words } from '../../core/errors.ts'
import { declaredSettings } from '../../core/settings/index.ts'
import { cards, tabOf, tabs, type Card } from '../../core/settings/cards.data.ts'
import type { Setting, Writer } from '../../core/settings/setting.ts'
import { code, markdownTable, type Page } from './page.ts'

const MAX_DEFAULT_LENGTH = 60

const WRITERS: Record<Writer, Words> = {
  admin: words('', ''),
  proven_admin: words('Asks for a fresh proof.', '需要重新验证身份。'),
  root: words('Only for the super administrator, with a fresh proof.', '仅限超级管理员，且需重新验证身份。'),
}

const TITLE = words('Settings', '设置')
const WHERE = words(
  'Kept in the database and live at once. Change one with `weir settings set KEY VALUE` or in the console.',
  '保存在数据库中，立即生效。用 `weir settings set KEY VALUE` 或在控制台中更改。',
)
const TITLES = [words('Key', '键'), words('Kind', '类型'), words('Default', '默认值'), words('Description', '作用')]
const KINDS: Record<Setting<unknown>['value']['kind'], Words> = {
  flag: words('true, false', 'true, false'),
  count: words('whole number', '整数'),
  decimal: words('number', '数字'),
  text: words('text', '文本'),
  long_text: words('long text', '长文本'),
  choice: words('choice', '选项'),
  json: words('JSON', 'JSON'),
}
const EMPTY = words('empty', '空')
const BUILT_IN = words('a built-in list', '内置列表')
const IN_UNIT = words('{kind}, in {unit}', '{kind}，单位：{unit}')
const BEWARE = words('Beware: {danger}.', '注意：{danger}。')
const SECRET = words('Secret: it can be written, not read.', '机密：只能写入，不能读取。')
const FORGOTTEN = words('Forgotten when {keys} changes and it is not given again.', '{keys} 更改而未重新给出时清除。')

export const settingsPage: Page = {
  topic: 'settings',
  summary: words('Every operator option: key, kind, default', '每个运营设置：键、类型、默认值'),
  write(_, language) {
    const settings = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
    return (
      [
        `# ${TITLE[language]}`,
        WHERE[language],
        ...(Object.keys(cards) as Card[]).flatMap((card) => [
          `## ${tabs[tabOf(card)][language]}: ${cards[card][language]}`,
          markdownTable(
            TITLES.map((title) => title[language]),
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
  const stop = language === 'zh' ? '。' : '.'
  const endSentence = (text: string) => `${text.replace(/[.。]$/, '')}${stop}`
  const remarks = [
    danger
      ? fillTemplate(BEWARE, { danger: words(danger.en.replace(/[.]$/, ''), danger.zh.replace(/。$/, '')) })
      : NOTHING,
    secret ? SECRET : NOTHING,
    sentTo.length > 0 ? fillTemplate(FORGOTTEN, { keys: words(sentTo.join(' or '), sentTo.join('、')) }) : NOTHING,
    WRITERS[writer],
  ].map((remark) => remark[language])
  return [
    code(key),
    unit ? fillTemplate(IN_UNIT, { kind, unit })[language] : kind,
    initial === '' ? EMPTY[language] : initial.length > MAX_DEFAULT_LENGTH ? BUILT_IN[language] : code(initial),
    [endSentence(label[language]), endSentence(help[language]), ...remarks]
      .filter((text) => text !== '')
      .join(language === 'zh' ? '' : ' '),
  ]
}

const NOTHING = words('', '')
