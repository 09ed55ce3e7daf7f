// Removes details that callers must not see from a provider's message: addresses, keys, account names.

/** Maximum length in characters: an error is a sentence, not a page. */
const MAX_LENGTH = 2000

const hidden: [RegExp, string][] = [
  [/\b(?:https?|wss?|socks5h?):\/\/[^\s"'<>]+/gi, '[url]'],
  // Keys by the prefixes of providers, and any value after "Bearer".
  [/\bBearer\s+[\w.~+/=-]{8,}/gi, '[key]'],
  [/\b(?:sk|pk|rk|xai|gsk|pplx|csk|fw|hf|r8|nvapi|tgp|jina|pat|app|org|proj)[-_][\w*-]{6,}/g, '[key]'],
  [/\bAIza[\w*-]{8,}/g, '[key]'],
  [/\b[\w-]*\*{3,}[\w*-]*/g, '[key]'],
  [/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?\b/g, '[address]'],
  // Matches missed by the other rules: long runs of mixed letters and digits are keys or account numbers.
  [/\b(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{32,}\b/gi, '[key]'],
]

/** Anything with colons between hexadecimal digits. Times of day match too, so each match is checked. */
const ipv6 = /(?<![\w:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])/gi

/** Returns the text without URLs, network addresses, keys and account names. */
export function redactSecrets(text: string): string {
  let clean = text.slice(0, MAX_LENGTH * 2)
  for (const [pattern, replacement] of hidden) clean = clean.replace(pattern, replacement)
  clean = clean.replace(ipv6, (match) => (match.includes('::') || match.split(':').length === 8 ? '[address]' : match))
  return clean.length > MAX_LENGTH ? `${clean.slice(0, MAX_LENGTH)}…` : clean
}
