// A unique text for each value, which signatures are computed over.

/**
 * Formats JSON without blanks, with object keys in the order of their UTF-16 units and numbers as JavaScript writes
 * them: the JSON canonicalization scheme (RFC 8785).
 */
export function formatCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => formatCanonicalJson(each ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, each]) => `${JSON.stringify(key)}:${formatCanonicalJson(each)}`).join(',')}}`
}
