// `weir settings …`: operator options, live at once.
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

const columns: Column<Row>[] = [
  { title: 'KEY', rank: 1, value: ({ key }) => key, tone: (row) => (isChanged(row) ? 'strong' : 'plain') },
  { title: 'VALUE', rank: 1, flexible: true, value: shown, tone: (row) => (isChanged(row) ? 'good' : 'plain') },
  { title: 'UNIT', rank: 3, value: ({ key }) => declarationOf(key)?.unit ?? '' },
  {
    title: 'WHAT IT IS',
    rank: 2,
    flexible: true,
    value: ({ key }) => declarationOf(key)?.label ?? '',
    tone: () => 'faint',
  },
]

const list = command({
  name: 'list',
  summary: 'List settings with their values',
  options: {
    section: { flag: '--section <name>', help: `only one section: ${sections().join(', ')}` },
    changed: { flag: '--changed', help: 'only those that differ from their default' },
  },
  async run({ client, print, options }) {
    if (options.section !== undefined && !sections().includes(options.section)) {
      throw new UsageError(`--section must be one of ${sections().join(', ')}.`)
    }
    const all = await (await client()).settings.list()
    const rows = all.filter(
      (row) =>
        (options.section === undefined || declarationOf(row.key)?.section === options.section) &&
        (!options.changed || isChanged(row)),
    )
    print.rows(rows, columns, { empty: 'No settings.' })
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

export const settings = group({ name: 'settings', summary: 'Operator options', commands: [list, get, set] })

function sections(): string[] {
  return [...new Set(Object.values(declaredSettings as Record<string, Setting<unknown>>).map(({ section }) => section))]
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
