// Signed documents in files.
import { readFile } from 'node:fs/promises'
import { words, type Words } from '../core/errors.ts'
import { Refusal } from './failure.ts'

/**
 * Parses a saved file: the signed content itself, or the whole reply of the endpoint. Returns undefined if it is not
 * JSON.
 */
export function parseSavedDocument(text: string): unknown {
  try {
    const value = JSON.parse(text) as { data?: unknown; success?: unknown } | null
    return value?.success === true ? value.data : value
  } catch {
    return undefined
  }
}

export async function readDocumentText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code ?? error.message
    throw new Refusal(
      words(`The file ${file} cannot be read (${why}).`, `无法读取文件 ${file}（${why}）。`),
      'file.unreadable',
    )
  })
}

// Output about the verification of a signed document.

/** Reasons for distrusting a document, for scripts and for people. */
export const describeDistrust = (what: Words) => ({
  unreadable: words(`This is not a ${what.en} of Weir.`, `这不是 Weir 的${what.zh}。`),
  other_key: words(
    `Not trusted: the ${what.en} was signed with another key than the one given.`,
    `不可信：该${what.zh}由另一密钥签名，而非所给的密钥。`,
  ),
  forged: words(
    `Not trusted: the ${what.en} was changed after it was signed.`,
    `不可信：该${what.zh}在签名之后被改动过。`,
  ),
})

export const describeTrust = ({ issuer, key_id }: { issuer: string; key_id: string }, knownIssuer: boolean): Words =>
  knownIssuer
    ? words(
        `Genuine: signed by ${issuer} with the key given, and not changed since.`,
        `真实：由 ${issuer} 以所给密钥签名，此后未被改动。`,
      )
    : words(
        `Unchanged since it was signed with the key ${key_id}. Use --key to prove whose key that is.`,
        `自以密钥 ${key_id} 签名以来未被改动。密钥属于谁，可用 --key 证明。`,
      )
