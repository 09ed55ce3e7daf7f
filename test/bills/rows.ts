// npx tsx test/bills/rows.ts [rows.json]: compares the charge of each log row with the charge computed from the row
// alone.
//
// Without a file every kind of call is made on a Weir of its own. A file has rows as `weir call logs.list` writes them.
import { readFileSync } from 'node:fs'
import { LOG_ROW_TYPE, type LogEntry } from '../../core/calls/log-entry.ts'
import { markdownTable } from '../support/markdown-table.ts'
import { recomputed } from './recompute.ts'

const [file] = process.argv.slice(2)
const rows = file ? readRows(file) : await makeRows()
const table = rows.map(([name, row]) => {
  const { prompt_tokens, completion_tokens, quota } = row
  const again = recomputed(row)
  return [name, ...[prompt_tokens, completion_tokens, quota, again].map(String), again === quota ? '' : 'differs']
})
process.stdout.write(`${markdownTable([['call', 'prompt', 'completion', 'quota', 'from the row', ''], ...table])}\n`)
process.exitCode = table.some((cells) => cells.at(-1) !== '') ? 1 : 0

function readRows(path: string): [string, LogEntry][] {
  const read = JSON.parse(readFileSync(path, 'utf8')) as LogEntry[] | { items: LogEntry[] }
  return (Array.isArray(read) ? read : read.items)
    .filter(({ type }) => type === LOG_ROW_TYPE.consumption)
    .map((row) => [`${row.id} ${row.model_name}`, row])
}

async function makeRows(): Promise<[string, LogEntry][]> {
  const { openTestGateway } = await import('../support/gateway.ts')
  const { billedCalls } = await import('./calls.ts')
  const { made } = await import('./made.ts')
  const weir = await openTestGateway()
  const all: [string, LogEntry][] = []
  for (const call of billedCalls) {
    all.push([call.name, (await made(weir, call)).row])
    await weir.clean()
  }
  await weir.close()
  return all
}
