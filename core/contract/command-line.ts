// Builds the command line of an endpoint call: `weir call` accepts the fields of any endpoint by their names.
import type { EndpointOutline } from './client.ts'

/**
 * @param secret fields whose values must not appear in a command line: a shell variable replaces them
 */
export function buildCommandLine(
  name: string,
  outline: Pick<EndpointOutline, 'query' | 'body'>,
  input: Readonly<Record<string, unknown>>,
  secret: readonly string[] = [],
): string {
  const fields = Object.entries(input).filter(
    ([field, value]) => value !== undefined && !isDropped(outline, field, value),
  )
  // Lists, records and null have no flag.
  const plain = fields.filter(([field, value]) => isPlain(value) || secret.includes(field))
  const rest = fields.filter((each) => !plain.includes(each))
  return [
    'weir call',
    name,
    ...plain.map(([field, value]) =>
      secret.includes(field)
        ? `--${field} "$${field.toUpperCase()}"`
        : `--${field}${formatAttachedValue(String(value))}`,
    ),
    ...(rest.length > 0 ? [`--data-json ${quoteShellWord(JSON.stringify(Object.fromEntries(rest)))}`] : []),
  ].join(' ')
}

/** Returns true for a filter without a value, which is not sent. */
const isDropped = ({ query }: Pick<EndpointOutline, 'query'>, field: string, value: unknown) =>
  query.includes(field) && (value === '' || value === null)

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/** Returns the value after its flag, joined by `=` if it looks like a flag itself. */
export const formatAttachedValue = (value: string) =>
  value.startsWith('--') ? `=${quoteShellWord(value)}` : ` ${quoteShellWord(value)}`

/** Quotes a word for sh, bash, zsh and fish. */
export const quoteShellWord = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
