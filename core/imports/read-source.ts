// A whole source, read and turned into arrivals by its product's rules: first what comes at once, then history page by page.
import { words } from '../errors.ts'
import { PastArrival, WholeArrival, type Arrival } from './arrival.ts'
import { cellWord, storableRow, type SourceRow } from './cells.ts'
import { isLeft, type ImportRules, type RuleResult, type SourceFacts, type SourceTable } from './product.ts'
import { ImportReport } from './report.ts'
import { readPages, type ImportSource } from './source.ts'

/** The name of the installation, and the facts for its rules. */
export interface ReadHead {
  marks: string[]
  facts: SourceFacts
}

const MOST_MARKS = 32
const USUAL_UNITS = 500_000

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
    for await (const page of readPages(source, table, order))
      for (const row of page) models.set(cellWord(row, order), heldTo(row))
  const found = marks({ users, setups }).slice(0, MOST_MARKS)
  return {
    marks: found.length > 0 ? found : [`an ${product} without marks`],
    facts: {
      units: await readUnits(source),
      users: new Set(models.keys()),
      channels: await readIds(source, tables),
      models,
      now,
    },
  }
}

/** Reads the quota units of one unit of the currency; an invalid text is the default. */
async function readUnits(source: ImportSource): Promise<number> {
  for await (const page of readPages(source, 'options', 'key')) {
    const row = page.find((each) => each.key === 'QuotaPerUnit')
    const value = Number(row?.value ?? Number.NaN)
    if (row) return Number.isFinite(value) && value > 0 ? value : USUAL_UNITS
  }
  return USUAL_UNITS
}

async function readIds(source: ImportSource, tables: ImportRules['tables']): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const { table, order } of tables.filter(({ kind }) => kind === 'channel'))
    for await (const page of readPages(source, table, order)) for (const row of page) ids.add(cellWord(row, order))
  return ids
}

/** Reads everything except history. Rows that cannot be imported are listed in the report. */
export async function readSourceRows(
  source: ImportSource,
  { tables }: ImportRules,
  facts: SourceFacts,
  report: ImportReport,
): Promise<WholeArrival[]> {
  const arrivals: WholeArrival[] = []
  const people = new Set<string>()
  for (const table of tables.filter(({ past }) => !past))
    for await (const page of readPages(source, table.table, table.order))
      for (const arrival of ruledPage(table, page, facts, report) as WholeArrival[]) {
        // An account that several rows need is made once.
        if (arrival.kind === 'user' && people.has(arrival.id)) continue
        if (arrival.kind === 'user') people.add(arrival.id)
        arrivals.push(arrival)
      }
  return arrivals
}

/** History, some rows at a time: what comes of them, and how many rows there were. */
export async function* readSourcePast(
  source: ImportSource,
  { tables }: ImportRules,
  facts: SourceFacts,
  report: ImportReport,
): AsyncGenerator<{ kind: string; rows: number; arrivals: PastArrival[] }> {
  for (const table of tables.filter(({ past }) => past))
    for await (const page of readPages(source, table.table, table.order)) {
      const arrivals = ruledPage(table, page, facts, report) as PastArrival[]
      yield { kind: table.kind, rows: page.length, arrivals }
    }
}

function ruledPage(table: SourceTable, page: readonly SourceRow[], facts: SourceFacts, report: ImportReport) {
  const arriving = table.past ? PastArrival : WholeArrival
  return page
    .flatMap((row): readonly RuleResult[] => {
      const { storable, changed } = storableRow(row)
      const ruled = [table.rule(storable, facts)].flat().map((one) => (isLeft(one) ? one : asItCan(one, arriving)))
      for (const one of ruled) if (changed.length > 0 && !isLeft(one)) one.notes.push(unstorable(changed))
      return ruled
    })
    .filter((ruled: RuleResult) => {
      if (!isLeft(ruled)) return true
      report.left(ruled, ruled.left)
      return false
    })
}

/** One that would be refused here stays behind alone, and nothing else for it. */
function asItCan(arrival: Arrival, arriving: typeof PastArrival | typeof WholeArrival): RuleResult {
  const { error } = arriving.safeParse(arrival)
  if (!error) return arrival
  const { kind, id, name } = arrival
  const fields = [...new Set(error.issues.map(({ path }) => path.join('.')))].join(', ')
  return { kind, id, name, left: words(`it says what cannot be kept: ${fields}`, `其内容无法保存：${fields}`) }
}

const unstorable = (columns: readonly string[]) =>
  words(
    `${columns.join(', ')} had signs that cannot be stored: \uFFFD stands for them`,
    `${columns.join('、')} 含有无法保存的字符，以 \uFFFD 代替`,
  )

/** Reports the tables that are rebuilt in Weir, and those that have no counterpart. */
export async function reportOtherTables(
  source: ImportSource,
  { tables, derived }: ImportRules,
  report: ImportReport,
): Promise<void> {
  const read = new Set(tables.map(({ table }) => table))
  for (const table of [...source.tables.keys()].filter((name) => !read.has(name)).sort()) {
    const why = Object.hasOwn(derived, table) ? derived[table] : undefined
    report.all(
      table,
      'left',
      await source.count(table),
      why ?? words('there is no place for it here', '此处没有对应的位置'),
    )
  }
}

/** Rows that history has, for those who wait. */
export async function countPast(source: ImportSource, { tables }: ImportRules): Promise<number> {
  let rows = 0
  for (const { table, past } of tables) if (past && source.tables.has(table)) rows += await source.count(table)
  return rows
}
