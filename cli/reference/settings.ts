// The reference page of settings: operator options as declared.
import { composeWords, fillTemplate, joinTexts, EMPTY_WORDS, type Language, type Words } from '../../core/errors.ts'
import { declaredSettings } from '../../core/settings/index.ts'
import { cards, getCardTab, tabs, type Card } from '../../core/settings/cards.data.ts'
import type { Setting, SettingWriter } from '../../core/settings/setting.ts'
import { formatMarkdownCode, formatMarkdownTable, type ReferencePage } from './page.ts'
import { words } from '../texts.ts'

const MAX_DEFAULT_LENGTH = 60

const WRITERS: Record<SettingWriter, Words> = {
  admin: EMPTY_WORDS,
  proven_admin: words('Asks for a fresh proof.'),
  root: words('Only for the super administrator, with a fresh proof.'),
}

const TITLE = words('Settings')
const WHERE = words(
  'Stored in the database; changes apply immediately. Change one with `weir settings set KEY VALUE` or in the console.',
)
const TITLES = [words('Key', { context: 'setting' }), words('Kind'), words('Default'), words('Description')]
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
        `# ${TITLE[language]}`,
        WHERE[language],
        ...(Object.keys(cards) as Card[]).flatMap((card) => [
          `## ${tabs[getCardTab(card)][language]}: ${cards[card][language]}`,
          formatMarkdownTable(
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
