// Signed documents in files.
import { readFile } from 'node:fs/promises'
import { fillTemplate, type Words } from '../../core/errors.ts'
import { GatewayRefusal } from '../failure.ts'
import { words } from '../texts.ts'

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
    throw new GatewayRefusal(
      fillTemplate(words('The file {file} cannot be read ({why}).'), { file, why }),
      'file.unreadable',
    )
  })
}

// Output about the verification of a signed document.

/** Reasons for distrusting a document, for scripts and for people. */
export const describeDistrust = (what: Words) => ({
  unreadable: fillTemplate(words('This is not a {what} of Weir.'), { what }),
  other_key: fillTemplate(words('Not trusted: the {what} was signed with another key than the one given.'), { what }),
  forged: fillTemplate(words('Not trusted: the {what} was changed after it was signed.'), { what }),
})

export const describeTrustedIssuer = (
  { issuer, key_id }: { issuer: string; key_id: string },
  knownIssuer: boolean,
): Words =>
  knownIssuer
    ? fillTemplate(words('Genuine: signed by {issuer} with the key given, and not changed since.'), { issuer })
    : fillTemplate(
        words('Unchanged since it was signed with the key {key_id}. Use --key to prove whose key that is.'),
        { key_id },
      )
