// Downloads a reply that is a file.
import { fetchReplyFile } from './client.ts'
import { endpointOutlines } from './outlines.built.ts'

/** @throws RequestFailure, which was already shown */
export async function downloadEndpointFile(
  feature: string,
  endpoint: string,
  input: Record<string, unknown>,
  name: string,
) {
  saveContentFile(await fetchReplyFile(endpointOutlines[feature]![endpoint]!, input), name)
}

/** Saves content that was created in the page as a file of that name. */
export function saveContentFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // By then the browser has read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
