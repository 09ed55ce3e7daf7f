// A whole source, read and turned into arrivals by its product's rules: first what comes at once, then history page by
// page.
import { fillTemplate, joinList, words } from '../errors.ts'
import { HistoryImportRow, ConfigurationImportRow, type ImportedRow } from './imported-rows.ts'
import { buildImportedPrices, DEFAULT_CURRENCY_UNITS } from './built-in-prices.ts'
import { getCellWord, type SourceRow, toStorableRow } from './cells.ts'
import { type ImportRules, isSkippedRow, type RuleResult, type SourceFacts, type SourceTable } from './product.ts'
import { ImportReport } from './report.ts'
import { type ImportSource, readTablePages } from './source.ts'

// The columns of a table that no rule reads: what is in them would be lost without a word.

/** Empty values, as databases and Go write them. */
const BLANK = /^(|-?0+(\.0+)?|f|false|null|\{\}|\[\]|""|0001-01-01.*)$/i

class UnreadColumnReport {
  /** Columns that a rule has read, and those that nothing is lost with. */
  private readonly known: Set<string>
  private readonly rowsByColumn = new Map<string, number>()

  constructor(immaterial: readonly string[] = []) {
    this.known = new Set(immaterial)
  }

  /** Returns the row for a rule, which records the columns that the rule reads. */
  watch(row: SourceRow): SourceRow {
    return new Proxy(row, {
      get: (target, column) => {
        if (typeof column !== 'string') return undefined
        this.known.add(column)
        return target[column]
      },
    })
  }

  /** Returns the columns of the row with a value that no rule has read so far. */
  find(row: SourceRow): string[] {
    return Object.keys(row).filter((column) => !this.known.has(column) && !BLANK.test((row[column] ?? '').trim()))
  }

  count(columns: readonly string[]): void {
    for (const column of columns) this.rowsByColumn.set(column, (this.rowsByColumn.get(column) ?? 0) + 1)
  }

  /** Returns how many of the counted rows have a value, by column. */
  counts(): [column: string, rows: number][] {
    return [...this.rowsByColumn].filter(([column]) => !this.known.has(column))
  }
}

/** The name of the installation, and the facts for its rules. */
interface ReadHead {
  marks: string[]
  facts: SourceFacts
}

const MOST_MARKS = 32

export async function readSourceHead(
  source: ImportSource,
  { tables, marks, product, heldTo = () => [] }: ImportRules,
  now: number,
): Promise<ReadHead> {
  const some = async ({ table, order }: Pick<SourceTable, 'table' | 'order'>) =>
    source.tables.has(table) ? source.rows(table, order, null, MOST_MARKS) : []
  const people = tables.filter(({ kind }) => kind === 'user')
  const users = people[0] ? await some(people[0]) : []
  const setups = await some({ table: 'setups', order: 'id' })
  const models = new Map<string, readonly string[]>()
  for (const { table, order } of people)
    for await (const page of readTablePages(source, table, order))
      for (const row of page) models.set(getCellWord(row, order), heldTo(row))
  const options = await readOptions(source)
  const found = marks({ users, setups }).slice(0, MOST_MARKS)
  return {
    marks: found.length > 0 ? found : [`an ${product} without marks`],
    facts: {
      units: parseUnits(options),
      options,
      users: new Set(models.keys()),
      channels: await readIds(source, tables),
      models,
      now,
    },
  }
}

async function readOptions(source: ImportSource): Promise<Map<string, string>> {
  const options = new Map<string, string>()
  for await (const page of readTablePages(source, 'options', 'key'))
    for (const { key, value } of page) options.set(key ?? '', value ?? '')
  return options
}

/** Parses the quota units of one unit of the currency; an invalid text is the default. */
function parseUnits(options: ReadonlyMap<string, string>): number {
  const value = Number(options.get('QuotaPerUnit') ?? Number.NaN)
  return Number.isFinite(value) && value > 0 ? value : DEFAULT_CURRENCY_UNITS
}

async function readIds(source: ImportSource, tables: ImportRules['tables']): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const { table, order } of tables.filter(({ kind }) => kind === 'channel'))
    for await (const page of readTablePages(source, table, order))
      for (const row of page) ids.add(getCellWord(row, order))
  return ids
}

/** Reads everything except history. Rows that cannot be imported are listed in the report. */
export async function readSourceRows(
  source: ImportSource,
  { tables, prices }: ImportRules,
  facts: SourceFacts,
  report: ImportReport,
): Promise<ConfigurationImportRow[]> {
  const arrivals: ConfigurationImportRow[] = []
  const people = new Set<string>()
  for (const table of tables.filter(({ past }) => !past)) {
    const columns = new UnreadColumnReport(table.immaterial)
    for await (const page of readTablePages(source, table.table, table.order))
      for (const arrival of convertPage(table, page, facts, { report, columns }) as ConfigurationImportRow[]) {
        // An account that several rows need is made once.
        if (arrival.kind === 'user' && people.has(arrival.id)) continue
        if (arrival.kind === 'user') people.add(arrival.id)
        arrivals.push(arrival)
      }
  }
  const builtIn = prices?.({ ...facts, tables: source.tables })
  if (!builtIn) return arrivals
  report.remark({ kind: 'source', id: '*', name: builtIn.version }, 'came', builtIn.evidence)
  const channels = arrivals.filter((arrival) => arrival.kind === 'channel')
  return [...arrivals, ...buildImportedPrices(builtIn, channels)]
}

/** History, some rows at a time: what comes of them, and how many rows there were. */
export async function* readSourcePast(
  source: ImportSource,
  { tables }: ImportRules,
  facts: SourceFacts,
  report: ImportReport,
): AsyncGenerator<{ kind: string; rows: number; arrivals: HistoryImportRow[] }> {
  for (const table of tables.filter(({ past }) => past)) {
    const columns = new UnreadColumnReport(table.immaterial)
    for await (const page of readTablePages(source, table.table, table.order)) {
      const arrivals = convertPage(table, page, facts, { report, columns }) as HistoryImportRow[]
      yield { kind: table.kind, rows: page.length, arrivals }
    }
    for (const [column, rows] of columns.counts())
      report.remark({ kind: table.kind, id: '*', name: column }, 'left', columnWithoutPlace(rows))
  }
}

/**
 * Converts the rows of one page. A value in a column that no rule reads is noted at its row, or counted by its column
 * in history.
 */
function convertPage(
  table: SourceTable,
  page: readonly SourceRow[],
  facts: SourceFacts,
  { report, columns }: { report: ImportReport; columns: UnreadColumnReport },
): ImportedRow[] {
  const arriving = table.past ? HistoryImportRow : ConfigurationImportRow
  const converted = page.map((row) => {
    const { storable, changed } = toStorableRow(row)
    const results: RuleResult[] = [table.rule(columns.watch(storable), facts)].flat()
    const checked = results.map((one) => (isSkippedRow(one) ? one : asItCan(one, arriving)))
    for (const one of checked) if (changed.length > 0 && !isSkippedRow(one)) one.notes.push(unstorable(changed))
    return { storable, checked }
  })
  return converted.flatMap(({ storable, checked }) => {
    const arrivals: ImportedRow[] = []
    for (const one of checked) {
      if (isSkippedRow(one)) report.left(one, one.left)
      else arrivals.push(one)
    }
    const [first] = arrivals
    const unread = first ? columns.find(storable) : []
    if (table.past) columns.count(unread)
    else if (unread.length > 0) first?.notes.push(withoutPlace(unread))
    return arrivals
  })
}

const withoutPlace = (columns: readonly string[]) =>
  fillTemplate(words('Weir has no place for {columns}'), { columns: joinList(columns) })

const columnWithoutPlace = (rows: number) =>
  fillTemplate(words('Weir has no place for this column, which {rows} rows have'), { rows })

/** One that would be refused here stays behind alone, and nothing else for it. */
function asItCan(arrival: ImportedRow, arriving: typeof HistoryImportRow | typeof ConfigurationImportRow): RuleResult {
  const { error } = arriving.safeParse(arrival)
  if (!error) return arrival
  const { kind, id, name } = arrival
  const fields = [...new Set(error.issues.map(({ path }) => path.join('.')))].join(', ')
  return { kind, id, name, left: fillTemplate(words('it has a value that cannot be stored: {fields}'), { fields }) }
}

const unstorable = (columns: readonly string[]) =>
  fillTemplate(words('{columns} had characters that cannot be stored: they are replaced by �'), {
    columns: joinList(columns),
  })

/** Reports the tables that are rebuilt in Weir, and those that have no counterpart. */
export async function reportOtherTables(
  source: ImportSource,
  { tables, derived }: ImportRules,
  report: ImportReport,
): Promise<void> {
  const read = new Set(tables.map(({ table }) => table))
  for (const table of [...source.tables.keys()].filter((name) => !read.has(name)).sort()) {
    const why = Object.hasOwn(derived, table) ? derived[table] : undefined
    report.all(table, 'left', await source.count(table), why ?? words('there is no place for it here'))
  }
}

/** Counts the rows of history, for the progress display. */
export async function countHistoryRows(source: ImportSource, { tables }: ImportRules): Promise<number> {
  let rows = 0
  for (const { table, past } of tables) if (past && source.tables.has(table)) rows += await source.count(table)
  return rows
}
