// The endpoints that receive a product's rows. The client reads them, close to the source.
import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields, field } from '../contract/field.ts'
import { words } from '../errors.ts'
import { IMPORT_PRODUCTS, ImportCount, ImportLine, HistoryImportRow, ConfigurationImportRow } from './imported-rows.ts'
import { importFields } from './import-fields.data.ts'

const { product, marks, units, dry_run } = importFields
const from = declareShapeFields(
  { product, marks, units, dry_run },
  {
    product: z.enum(IMPORT_PRODUCTS),
    marks: z.array(z.string().min(1).max(200)).min(1).max(64),
    units: z.number().positive().default(500_000),
    dry_run: z.boolean().default(false),
  },
)
const rows = <T extends z.ZodType>(schema: T) => field(schema, importFields.rows)

const reply = z.object({ counts: z.array(ImportCount), lines: z.array(ImportLine) })

/** Maximum number of history rows per request. */
export const MOST_PAST_ROWS = 5000

export const importsContract = {
  bring: endpoint({
    method: 'POST',
    path: '/api/import/',
    access: 'root',
    scope: 'all',
    proof: true,
    large: true,
    summary: words(
      'Import users, API tokens, channels, settings, redemption codes and orders of another product in one transaction; rows imported before are not changed. With dry_run it only reports the result for each row',
    ),
    body: z.object({ ...from, rows: rows(z.array(ConfigurationImportRow)) }),
    reply,
  }),
  history: endpoint({
    method: 'POST',
    path: '/api/import/history',
    access: 'root',
    scope: 'all',
    proof: true,
    large: true,
    summary: words(
      'Import log rows and tasks of another product, after imports.bring, at most 5000 at once; rows that were imported before are skipped',
    ),
    body: z.object({ ...from, rows: rows(z.array(HistoryImportRow).max(MOST_PAST_ROWS)) }),
    reply,
  }),
}
