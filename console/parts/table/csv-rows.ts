// The lines of a file with the rows of a list: the fields of each row as the API returns them, without secrets.

/** Fields that a file must not hold. */
const SECRET = /^(key|password|secret|access_token)$/

const isShown = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** Returns a line with the names of the fields, and one for each row. Objects in a field are written as JSON. */
export function buildCsvRows(rows: readonly object[]): string[][] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((field) => !SECRET.test(field))
  const write = (value: unknown) =>
    value === undefined || value === null ? '' : isShown(value) ? String(value) : JSON.stringify(value)
  return [names, ...rows.map((row) => names.map((field) => write((row as Record<string, unknown>)[field])))]
}
