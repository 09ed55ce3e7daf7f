// A reply that is a file, saved by the browser.
import { file } from './client.ts'
import { outlines } from './outlines.built.ts'

/** @throws RequestFailure, which was told */
export async function download(feature: string, endpoint: string, input: Record<string, unknown>, name: string) {
  saveFile(await file(outlines[feature]![endpoint]!, input), name)
}

/** What was made in the page, as a file of that name. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
