// Signed documents as people keep them in files.
import { readFile } from 'node:fs/promises'
import { words } from '../core/errors.ts'
import { Refusal } from './failure.ts'

/** A file as it was saved: what was signed itself, or the whole reply of the endpoint. Undefined where it is no JSON. */
export function parseSavedDocument(text: string): unknown {
  try {
    const value = JSON.parse(text) as { data?: unknown; success?: unknown } | null
    return value?.success === true ? value.data : value
  } catch {
    return undefined
  }
}

export async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code ?? error.message
    throw new Refusal(
      words(`The file ${file} cannot be read (${why}).`, `无法读取文件 ${file}（${why}）。`),
      'file.unreadable',
    )
  })
}
