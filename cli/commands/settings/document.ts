// Settings as people write them in a file: a JSON object of keys and values.
import { words } from '../../../core/errors.ts'
import { UsageError } from '../../failure.ts'
import { textOf } from '../../saved-document.ts'

/** Values as texts; what is no text in the file is JSON. @throws UsageError where it is no JSON object */
export function readDocument(text: string, file: string): Record<string, string> {
  const parsed = parse(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new UsageError(
      words(`${file} must be a JSON object of keys and values.`, `${file} 须为由设置项与值组成的 JSON 对象。`),
    )
  return Object.fromEntries(
    Object.entries(parsed).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

export const documentOf = async (file: string): Promise<Record<string, string>> =>
  readDocument(await textOf(file), file)

/** JSON values are written as what they are, so that they can be edited line by line. */
export function writtenDocument(settings: readonly { key: string; value: string; isJson: boolean }[]): string {
  const entries = settings.map(({ key, value, isJson }) => [key, isJson ? (parse(value) ?? value) : value] as const)
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
