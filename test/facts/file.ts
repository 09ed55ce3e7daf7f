// The data file of facts as text, and what is wrong with one.
import { createHash } from 'node:crypto'
import type { FactRow, FactsFile, FactSource, VendorPrice } from '../../core/models/fact-row.ts'
import { OPERATIONS } from '../../core/models/operation.ts'
import { parseDay, isCatalogueFields, type CatalogueFields } from '../../core/prices/catalogue.ts'
import { DollarPrice, toPriceFields } from '../../core/prices/dollars.ts'
import { sortRows } from './merge.ts'

const HEAD = `// Facts of models, one row each: name, vendor, kind, context and longest answer in tokens, day of release, what it reads and
// writes, price in USD, and prices of longer prompts (\`fact-row.ts\`). Written by \`npm run facts\`, never by hand: what the
// lists do not know stands in \`test/facts/corrections.data.ts\`.
import type { FactsFile } from './fact-row.ts'
`

export function formatFactsFile({ date, sources, models }: FactsFile): string {
  const lines = (rows: readonly unknown[]) => rows.map((row) => `    ${JSON.stringify(row)},\n`).join('')
  return `${HEAD}
export const factsFile: FactsFile = {
  date: ${JSON.stringify(date)},
  sources: [
${lines(sources)}  ],
  models: [
${lines(models)}  ],
}
`
}

/** Describes the copy of a list. @param days of the list, in any order */
export const describeSource = (name: string, text: string, models: number, days: readonly string[]): FactSource => ({
  name,
  models,
  newest: days.reduce((newest, day) => (day > newest ? day : newest), ''),
  sha256: createHash('sha256').update(text).digest('hex'),
})

/** The entries of all sections of models.dev. */
export const listModelsDevEntries = (list: CatalogueFields): CatalogueFields[] =>
  Object.values(list)
    .flatMap((section) =>
      isCatalogueFields(section) && isCatalogueFields(section.models) ? Object.values(section.models) : [],
    )
    .filter(isCatalogueFields)

/** Returns what is wrong with a file, in words; empty if nothing is. */
export function findFaults({ date, sources, models }: FactsFile): string[] {
  const names = models.map(([name]) => name)
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  const isSorted = JSON.stringify(sortRows(models).map(([name]) => name)) === JSON.stringify(names)
  const isSourced =
    sources.length > 0 && sources.every(({ sha256, models: count }) => sha256.length === 64 && count > 0)
  return [
    ...(isDay(date) ? [] : [`date: ${date} is no day`]),
    ...(isSourced ? [] : ['sources: each needs a number of models and a SHA-256']),
    ...sources.flatMap(({ name, newest }) => (newest > date ? [`${name}: read after ${date}`] : [])),
    ...(models.length > 0 ? [] : ['there are no models']),
    ...twice.map((name) => `${name}: stands there twice`),
    ...(isSorted ? [] : ['models: not sorted by vendor and name']),
    ...models.flatMap((row) => findRowFaults(row, date).map((fault) => `${row[0]}: ${fault}`)),
  ]
}

const isDay = (text: string): boolean =>
  parseDay(text) === text && text !== '' && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true

const CONTENT = /^(text|image|audio|video|pdf|vector)( (text|image|audio|video|pdf|vector))*$/
/** Vendors that count prompt and answer apart. */
const COUNTS_APART = ['google', 'openai', 'xai']

function findRowFaults(row: FactRow, date: string): string[] {
  const [name, vendor, kind, context, output, released, reads, writes, usd, longer = []] = row
  const isCount = (tokens: number) => Number.isSafeInteger(tokens) && tokens >= 0
  const checks: [boolean, string][] = [
    [name !== '' && vendor !== '', 'has no name or no vendor'],
    [OPERATIONS.includes(kind), `${kind} is no kind`],
    [isCount(context) && isCount(output), 'tokens are whole numbers'],
    [output <= context || context === 0 || COUNTS_APART.includes(vendor), 'its answer is longer than its context'],
    [released === '' || (isDay(released) && released <= date), `${released} is no day until ${date}`],
    [CONTENT.test(reads) && CONTENT.test(writes), 'reads or writes something else'],
    [usd === null || isPrice(usd), 'its price cannot be charged by'],
    [
      longer.every(({ above, factor }) => above > 0 && Object.values(factor).every((part) => part > 0)),
      'has a bad tier',
    ],
  ]
  return checks.flatMap(([isGood, fault]) => (isGood ? [] : [fault]))
}

/** The settings divide prices as whole millionths of a dollar. */
function isPrice(usd: VendorPrice): boolean {
  if (!DollarPrice.safeParse(usd).success) return false
  if (Object.values(usd).some((value: number) => Number(value.toFixed(6)) !== value)) return false
  try {
    toPriceFields(usd)
    return true
  } catch {
    return false
  }
}
