// The target Weir of the import tests, and the import as the terminal runs it.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { importSource } from '../../cli/import-run.ts'
import { openImportSource } from '../../core/adapters/imports/index.ts'
import type { ImportProduct } from '../../core/imports/imported-rows.ts'
import type { TestGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'

/** Databases that the products themselves wrote, where they lie beside the repository. */
const SHARED = path.join(import.meta.dirname, '../../../shared/imports')
export const sharedImport = (file: string): string | null =>
  existsSync(path.join(SHARED, file)) ? path.join(SHARED, file) : null

interface Manifest {
  counts: Record<string, number>
  sums: Record<string, string>
  passwords: { username: string; password: string; role: number }[]
  sample_tokens: {
    what: string
    key: string
    models_status: number
    models?: string[]
    calls_from_127_0_0_1: { model: string; status: number }[]
  }[]
}
export const manifestOf = (file: string): Manifest =>
  JSON.parse(readFileSync(`${file}.manifest.json`, 'utf8')) as Manifest

export async function importInto(
  weir: Pick<TestGateway, 'root'>,
  place: string,
  { product, dry_run = false }: { product: ImportProduct; dry_run?: boolean },
) {
  const source = await openImportSource(place)
  try {
    return await importSource(weir.root.client, source, { product, dry_run })
  } finally {
    await source.close()
  }
}

type Result = Awaited<ReturnType<typeof importInto>>

/** Rows of a kind that have a place in the report. */
export function accounted({ counts }: Result, kind: string): number {
  const { came = 0, changed = 0, left = 0, known = 0 } = counts.find((count) => count.kind === kind) ?? {}
  return came + changed + left + known
}

/** The line of a row. */
export const lineOf = ({ lines }: Result, kind: string, id: string) =>
  lines.find((line) => line.kind === kind && line.id === id)

/** What a call with a key is answered. */
export async function callWith(url: string, key: string, model: string) {
  const body = { model, messages: [{ role: 'user', content: 'hi' }], max_tokens: 20 }
  const answer = await send('POST', `${url}/v1/chat/completions`, { headers: { authorization: `Bearer ${key}` }, body })
  return answer.status
}

export async function modelsOf(url: string, key: string) {
  const answer = await send('GET', `${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  const listed: { id: string }[] = answer.json?.data ?? []
  return { status: answer.status, models: [...new Set(listed.map(({ id }) => id))].sort() }
}
