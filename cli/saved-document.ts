// Signed documents as people keep them in files.
import { readFile } from 'node:fs/promises'

/** A file as it was saved: what was signed itself, or the whole reply of the endpoint. Undefined where it is no JSON. */
export function documentIn(text: string): unknown {
  try {
    const value = JSON.parse(text) as { data?: unknown; success?: unknown } | null
    return value?.success === true ? value.data : value
  } catch {
    return undefined
  }
}

export async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The file ${file} cannot be read (${error.code ?? error.message}).`, { cause: error })
  })
}
