// Decodes parts of an address.

/** Decodes a part of an address. Returns it unchanged if its escapes are invalid. */
export function decodePath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
