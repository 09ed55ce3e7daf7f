// `weir settings …`: operator options, live at once.
import type { Language } from '../../core/errors.ts'
import { cards, tabOf, tabs } from '../../core/settings/cards.data.ts'
import { declarationOf, declaredSettings } from '../../core/settings/index.ts'
import type { Setting } from '../../core/settings/setting.ts'
import { command, group } from '../command.ts'
import { UsageError } from '../failure.ts'
import { valueOrInput } from '../input.ts'
import type { Column } from '../output.ts'

interface Row {
  key: string
  value: string
  set?: boolean
}

const columns = (language: Language): Column<Row>[] => [
  { title: 'KEY', rank: 1, value: ({ key }) => key, tone: (row) => (isChanged(row) ? 'strong' : 'plain') },
  { title: 'VALUE', rank: 1, flexible: true, value: shown, tone: (row) => (isChanged(row) ? 'good' : 'plain') },
  { title: 'UNIT', rank: 3, value: ({ key }) => declarationOf(key)?.unit?.[language] ?? '' },
  {
    title: 'WHAT IT IS',
    rank: 2,
    flexible: true,
    value: ({ key }) => declarationOf(key)?.label[language] ?? '',
    tone: () => 'faint',
  },
]

const list = command({
  name: 'list',
  summary: 'List settings with their values',
  options: {
    tab: { flag: '--tab <name>', help: 'only those of one tab of the console', choices: Object.keys(tabs) },
    changed: { flag: '--changed', help: 'only those that differ from their default' },
  },
  async run({ client, print, options, language }) {
    const all = await (await client()).settings.list()
    const rows = all
      .filter((row) => options.tab === undefined || tabIn(row) === options.tab)
      .filter((row) => !options.changed || isChanged(row))
      .sort((one, other) => placeOf(one) - placeOf(other))
    print.rows(rows, columns(language), { empty: 'No settings.' })
  },
})

const get = command({
  name: 'get',
  summary: 'Print the value of a setting',
  arguments: { key: { spec: '<key>', help: 'key of the setting' } },
  async run({ client, print, args }) {
    known(args.key)
    const row = (await (await client()).settings.list()).find(({ key }) => key === args.key)
    if (!row) throw new Error(`The server has no setting ${args.key}: is it of another version?`)
    if (declarationOf(args.key)?.secret) print.warn('The value of a secret setting can be written, not read.')
    print.text(row.value, row)
  },
})

const set = command({
  name: 'set',
  summary: 'Change a setting; it is live at once',
  arguments: {
    key: { spec: '<key>', help: 'key of the setting' },
    value: { spec: '<value>', help: 'new value; - reads it from standard input' },
  },
  async run({ client, print, args, readInput }) {
    known(args.key)
    const value = (await valueOrInput(args.value, readInput)) ?? ''
    await (await client()).settings.update({ key: args.key, value })
    const secret = declarationOf(args.key)?.secret === true
    print.result(
      { key: args.key, ...(secret ? { set: value !== '' } : { value }) },
      {
        human: secret ? `${args.key} is set.` : `${args.key} is now ${value === '' ? 'empty' : value}`,
        bare: args.key,
      },
    )
  },
})

const explain = command({
  name: 'explain',
  summary: 'Say what a setting does, what it takes and who may change it',
  arguments: { key: { spec: '<key>', help: 'key of the setting' } },
  async run({ print, args, language }) {
    known(args.key)
    const { label, help, unit, danger, card, value, secret, writer, test } = declarationOf(args.key) as Setting<unknown>
    const told = {
      key: args.key,
      label: label[language],
      help: help[language],
      ...(unit ? { unit: unit[language] } : {}),
      ...(danger ? { beware: danger[language] } : {}),
      place: `${tabs[tabOf(card)][language]} / ${cards[card][language]}`,
      takes: value.choices?.join(', ') ?? value.kind.replace('_', ' '),
      default: value.encode(value.default),
      writer,
      secret: secret === true,
      ...(test ? { test: `weir call ${test}` } : {}),
    }
    const lines = Object.entries(told).filter(([name, text]) => text !== '' && text !== false && name !== 'key')
    print.result(told, {
      human: [args.key, ...lines.map(([name, text]) => `  ${name.padEnd(8)} ${String(text)}`)].join('\n'),
      bare: told.help,
    })
  },
})

export const settings = group({ name: 'settings', summary: 'Operator options', commands: [list, get, set, explain] })

const tabIn = ({ key }: Row): string | undefined => {
  const card = declarationOf(key)?.card
  return card && tabOf(card)
}

/** As the settings screen has them; those of another version last. */
function placeOf({ key }: Row): number {
  const declaration = declarationOf(key)
  const at = Object.keys(cards).indexOf(declaration?.card ?? '')
  return at < 0 ? Number.MAX_SAFE_INTEGER : at * 10_000 + (declaration?.order ?? 0)
}

function isChanged({ key, value, set: isSet }: Row): boolean {
  const declaration = declarationOf(key)
  if (!declaration) return false
  if (declaration.secret) return isSet === true
  const parsed = declaration.value.schema.safeParse(value)
  const { encode, default: initial } = declaration.value
  return (parsed.success ? encode(parsed.data) : value) !== encode(initial)
}

function shown({ key, value, set: isSet }: Row): string {
  const declaration = declarationOf(key)
  if (declaration?.secret) return isSet ? '(set)' : '(not set)'
  if (declaration?.value.kind !== 'json' || value.length <= 40) return value
  const entries = declaration.value.schema.safeParse(value)
  return entries.success && typeof entries.data === 'object' && entries.data !== null
    ? `(${Object.keys(entries.data).length} entries; see \`weir settings get ${key}\`)`
    : value
}

/** @throws UsageError with the nearest keys */
function known(key: string): void {
  if (declarationOf(key)) return
  const near = Object.keys(declaredSettings).filter((name) => name.toLowerCase().includes(key.toLowerCase()))
  const hint = near.length > 0 ? `did you mean ${near.slice(0, 3).join(', ')}?` : '`weir settings list` shows all.'
  throw new UsageError(`There is no setting ${key}: ${hint}`)
}
