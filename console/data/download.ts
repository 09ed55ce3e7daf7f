// Downloads a reply that is a file.
import { fetchFile } from './client.ts'
import { outlines } from './outlines.built.ts'

/** @throws RequestFailure, which was already shown */
export async function downloadFile(feature: string, endpoint: string, input: Record<string, unknown>, name: string) {
  saveFile(await fetchFile(outlines[feature]![endpoint]!, input), name)
}

/** Saves content that was created in the page as a file of that name. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // By then the browser has read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
