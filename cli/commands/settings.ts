// `weir settings …`: operator options, live at once.
import { cards, tabOf, tabs } from '../../core/settings/cards.data.ts'
import { command, group } from '../command.ts'
import { valueOrInput } from '../input.ts'

/** Every setting's declaration, loaded only by the commands that need them. */
const declared = () => import('../declared-settings.ts')

const list = command({
  name: 'list',
  summary: 'List settings with their values',
  options: {
    tab: { flag: '--tab <name>', help: 'only those of one tab of the console', choices: Object.keys(tabs) },
    changed: { flag: '--changed', help: 'only those that differ from their default' },
  },
  async run({ client, print, options, language }) {
    const { columns, isChanged, placeOf, tabIn } = await declared()
    const all = await (await client()).settings.list()
    const rows = all
      .filter((row) => options.tab === undefined || tabIn(row) === options.tab)
      .filter((row) => !options.changed || isChanged(row))
      .sort((one, other) => placeOf(one) - placeOf(other))
    await print.rows(rows, columns(language), { empty: 'No settings.' })
  },
})

const get = command({
  name: 'get',
  summary: 'Print the value of a setting',
  arguments: { key: { spec: '<key>', help: 'key of the setting' } },
  async run({ client, print, args }) {
    const { secret } = (await declared()).known(args.key)
    const row = (await (await client()).settings.list()).find(({ key }) => key === args.key)
    if (!row) throw new Error(`The server has no setting ${args.key}: is it of another version?`)
    if (secret) print.warn('The value of a secret setting can be written, not read.')
    await print.text(row.value, row)
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
    const { secret = false } = (await declared()).known(args.key)
    const value = (await valueOrInput(args.value, readInput)) ?? ''
    await (await client()).settings.update({ key: args.key, value })
    await print.result(
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
    const { label, help, unit, danger, card, value, secret, writer, test } = (await declared()).known(args.key)
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
    await print.result(told, {
      human: [args.key, ...lines.map(([name, text]) => `  ${name.padEnd(8)} ${String(text)}`)].join('\n'),
      bare: told.help,
    })
  },
})

export const settings = group({ name: 'settings', summary: 'Operator options', commands: [list, get, set, explain] })
