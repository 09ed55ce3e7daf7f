// The page of settings: operator options as declared.
import { declaredSettings } from '../../core/settings/index.ts'
import { cards, tabOf, tabs, type Card } from '../../core/settings/cards.data.ts'
import type { Setting, Writer } from '../../core/settings/setting.ts'
import { code, markdownTable, type Page } from './page.ts'

const LONGEST_DEFAULT = 60

const WRITERS: Record<Writer, string> = {
  admin: '',
  proven_admin: 'Asks for a fresh proof.',
  root: 'Only for the super administrator, with a fresh proof.',
}

export const settingsPage: Page = {
  topic: 'settings',
  summary: 'Every operator option: key, kind, default',
  write() {
    const settings = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
    return (
      [
        '# Settings',
        'Kept in the database and live at once. Change one with `weir settings set KEY VALUE` or in the console.',
        ...(Object.keys(cards) as Card[]).flatMap((card) => [
          `## ${tabs[tabOf(card)].en}: ${cards[card].en}`,
          markdownTable(
            ['Key', 'Kind', 'Default', 'What it does'],
            settings
              .filter(([, one]) => one.card === card)
              .sort(([, one], [, other]) => one.order - other.order)
              .map(([key, one]) => row(key, one)),
          ),
        ]),
      ].join('\n\n') + '\n'
    )
  },
}

function row(key: string, setting: Setting<unknown>): string[] {
  const { value, label, help, unit, danger, secret, sentTo = [], writer } = setting
  const initial = value.encode(value.default)
  const kind = value.choices ? value.choices.join(', ') : value.kind.replace('_', ' ')
  const remarks = [
    danger ? `Beware: ${danger.en.replace(/[.]$/, '')}.` : '',
    secret ? 'Secret: it can be written, not read.' : '',
    sentTo.length > 0 ? `Forgotten when ${sentTo.join(' or ')} changes and it is not given again.` : '',
    WRITERS[writer],
  ]
  return [
    code(key),
    unit ? `${kind}, in ${unit.en}` : kind,
    initial === '' ? 'empty' : initial.length > LONGEST_DEFAULT ? 'a built-in list' : code(initial),
    [`${label.en}. ${help.en}.`, ...remarks].filter((text) => text !== '').join(' '),
  ]
}
