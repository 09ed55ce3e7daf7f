// Finds what the references of a file stand for, where the file is read.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { words } from '../core/errors.ts'
import { parseReference, unescaped, type Reference } from '../core/state/references.ts'
import { Refusal } from './failure.ts'

export interface Sources {
  env: Readonly<Record<string, string | undefined>>
  /** Paths are read from here: where the file lies that names them. */
  folder: string
  /** The file with the age identity that opens what is sealed. */
  identity?: string | undefined
}

/** A reference that nothing stands behind. */
export interface Missing {
  /** Where in the document, with dots. */
  at: string
  reference: string
}

/**
 * The document with what its references stand for. A field whose reference stands for nothing is left out, so that what Weir
 * has of it stays; it is told in `missing`.
 * @throws Refusal where something sealed cannot be opened
 */
export async function resolveReferences<T>(
  document: T,
  sources: Sources,
): Promise<{ document: T; missing: Missing[] }> {
  const missing: Missing[] = []
  const open = openerOf(sources)
  async function walk(value: unknown, at: readonly string[]): Promise<unknown> {
    if (typeof value === 'string') {
      const reference = parseReference(value)
      if (!reference) return unescaped(value)
      const text = reference.kind === 'age' ? await open(reference.what) : await textBehind(reference, sources)
      if (text === undefined) missing.push({ at: at.join('.'), reference: value })
      return text
    }
    if (Array.isArray(value)) return Promise.all(value.map((one, place) => walk(one, [...at, String(place)])))
    if (typeof value !== 'object' || value === null) return value
    const fields: [string, unknown][] = []
    for (const [name, one] of Object.entries(value)) {
      const made = await walk(one, [...at, name])
      if (made !== undefined) fields.push([name, made])
    }
    return Object.fromEntries(fields)
  }
  return { document: (await walk(document, [])) as T, missing }
}

async function textBehind({ kind, what }: Reference, { env, folder }: Sources): Promise<string | undefined> {
  if (kind === 'ENV') return env[what] === '' ? undefined : env[what]
  const text = await readFile(resolve(folder, what), 'utf8').catch(() => undefined)
  return text?.replace(/\r?\n$/, '')
}

/** Opens what is sealed; the identity is read when the first one comes. */
function openerOf({ identity }: Sources): (sealed: string) => Promise<string | undefined> {
  let opened: Promise<(sealed: string) => Promise<string>> | undefined
  return async (sealed) => {
    if (identity === undefined) return undefined
    opened ??= opensWith(identity)
    return (await opened)(sealed)
  }
}

/** Opens what is sealed for an identity in this file. @throws Refusal where it cannot be read; where something is for another one */
export async function opensWith(file: string): Promise<(sealed: string) => Promise<string>> {
  const { Decrypter } = await import('age-encryption')
  const lines = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(
      words(`The identity file ${file} cannot be read (${error.code}).`, `无法读取身份文件 ${file}（${error.code}）。`),
      'file.unreadable',
    )
  })
  const decrypter = new Decrypter()
  for (const line of lines.split(/\r?\n/)) if (line.startsWith('AGE-SECRET-KEY-')) decrypter.addIdentity(line.trim())
  return (sealed) =>
    decrypter.decrypt(Buffer.from(sealed, 'base64'), 'text').catch(() => {
      throw new Refusal(
        words(
          `Something sealed cannot be opened with ${file}: it is for another identity, or was changed.`,
          `无法用 ${file} 打开密封内容：它属于其他身份，或已被改动。`,
        ),
        'state.sealed',
      )
    })
}
