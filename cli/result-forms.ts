// Results for programs: CSV by a library that knows its quoting, and jq, which is loaded only where it is asked for.
import { createRequire } from 'node:module'
import { words } from '../core/errors.ts'
import { UsageError } from './failure.ts'

/** A file of rows with its head, as RFC 4180 has it; what would be a formula in a spreadsheet is made text. */
export async function csvText(
  names: readonly string[],
  rows: readonly Record<string, unknown>[],
  head = true,
): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  return stringify([...rows], {
    header: head,
    columns: [...names],
    escape_formulas: true,
    cast: { boolean: String, object: (value) => (Array.isArray(value) ? value.join(' ') : JSON.stringify(value)) },
  })
}

/** The part of it that is used; the package declares no types. */
interface Jq {
  raw(json: string, filter: string, flags: readonly string[]): string
}

/** What jq says of a value: texts as they are, everything else as JSON. @throws UsageError where the filter is wrong */
export async function jqText(filter: string, value: unknown): Promise<string> {
  // Its module is a promise itself, which `import()` would wait for in its own way.
  const jq = await (createRequire(import.meta.url)('jq-web') as Promise<Jq>)
  try {
    return jq.raw(JSON.stringify(value), filter, ['-r'])
  } catch (error) {
    const cause = error instanceof Error ? error.message.split('\njq: 1 compile error')[0] : String(error)
    throw new UsageError(words(`--jq: ${cause}`, `--jq：${cause}`))
  }
}
