// Display of settings.
import type { Words } from '../../core/errors.ts'
import { words } from '../texts.ts'
import { flag, text, word, type OutputView } from '../output/view.ts'

/** A setting of a server with its declaration. */
export interface ShownSetting {
  key: string
  /** Empty for a secret. */
  value: string
  /** Value for people, as shown in a list. */
  shown: Words
  default: string
  changed: boolean
  label: Words
  unit: Words | undefined
  tab: string | undefined
  secret: boolean
}

const changedTone = ({ changed }: ShownSetting) => (changed ? 'good' : 'plain')

export const shownSettingView: OutputView<ShownSetting> = {
  key: text(words('KEY'), 1, ({ key }) => key, { tone: ({ changed }) => (changed ? 'strong' : 'plain') }),
  value: text(words('VALUE'), 2, ({ value, secret }) => (secret ? null : value), {
    flexible: true,
    shown: ({ shown }, { language }) => shown[language],
    tone: changedTone,
  }),
  default: text(words('DEFAULT'), 0, (row) => row.default),
  changed: flag(words('CHANGED'), 0, ({ changed }) => changed),
  unit: text(words('UNIT'), 3, ({ unit }) => unit?.en, { shown: ({ unit }, { language }) => unit?.[language] }),
  label: text(words('WHAT IT IS'), 2, ({ label }) => label.en, {
    flexible: true,
    shown: ({ label }, { language }) => label[language],
    tone: () => 'faint',
  }),
  tab: text(words('TAB'), 0, ({ tab }) => tab),
  secret: flag(words('SECRET'), 0, ({ secret }) => secret),
}

/** A value next to another one: the default, or that of a file. */
export interface SettingDifference {
  key: string
  /** null for the default. */
  here: string | null
  there: string | null
  label: Words
}

const cutTo = (value: string | null) => (value === null ? DEFAULT : undefined)
const DEFAULT = words('(default)')

export const settingDifferenceView: OutputView<SettingDifference> = {
  key: text(words('KEY'), 1, ({ key }) => key, { tone: () => 'strong' }),
  here: text(words('HERE'), 2, ({ here }) => here, {
    flexible: true,
    shown: ({ here }, { language }) => cutTo(here)?.[language],
    tone: () => 'good',
  }),
  there: text(words('THERE'), 2, ({ there }) => there, {
    flexible: true,
    shown: ({ there }, { language }) => cutTo(there)?.[language],
    tone: () => 'bad',
  }),
  label: text(words('WHAT IT IS'), 2, ({ label }) => label.en, {
    flexible: true,
    shown: ({ label }, { language }) => label[language],
    tone: () => 'faint',
  }),
}

interface Explained {
  key: string
  label: Words
  help: Words
  unit: Words | undefined
  beware: Words | undefined
  place: Words
  takes: string
  default: string
  writer: string
  secret: boolean
  test: string | undefined
}

const WRITERS = {
  admin: words('administrators'),
  proven_admin: words('administrators, with a fresh proof'),
  root: words('the super administrator, with a fresh proof'),
}

/** Declares a field with a text of the declaration: English for programs, the user's language for people. */
const declarationField = (title: Words, of: (row: Explained) => Words | undefined) =>
  text<Explained>(title, 1, (row) => of(row)?.en, { shown: (row, { language }) => of(row)?.[language] })

export const explainedSettingView: OutputView<Explained> = {
  key: text(words('KEY'), 1, ({ key }) => key, { tone: () => 'strong' }),
  label: declarationField(words('WHAT IT IS'), ({ label }) => label),
  help: declarationField(words('HELP'), ({ help }) => help),
  unit: declarationField(words('UNIT'), ({ unit }) => unit),
  beware: declarationField(words('BEWARE'), ({ beware }) => beware),
  place: declarationField(words('PLACE'), ({ place }) => place),
  takes: text(words('TAKES'), 1, ({ takes }) => takes),
  default: text(words('DEFAULT'), 1, (row) => row.default),
  writer: word(words('WHO MAY CHANGE IT'), 1, WRITERS, ({ writer }) => writer),
  secret: flag(words('SECRET'), 1, ({ secret }) => secret),
  test: text(words('TRY IT OUT'), 1, ({ test }) => test),
}
