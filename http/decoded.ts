// Parts of an address as they were meant.

/** Text of an address; as it is where it is badly escaped. */
export function decodePath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
