// Advice on a failed test of a channel.
import { texts, type TextKey, type Translate } from '../../data/texts.tsx'

const ADVICE: Readonly<Record<string, TextKey | undefined>> = texts({
  key: 'The provider refuses the key or its account: check the key, or use another one.',
  limit: 'The key works, but the provider limits its calls: wait a little, or add another key.',
  server: 'The provider has a problem: try again later.',
  timeout: 'No answer arrived in time: try again, or check the proxy.',
  network: 'No answer: check the address and the proxy.',
  answer: 'The answer cannot be read: check the type and the address.',
  request: 'The provider refuses the call: check the model and its mapping.',
})

/** Returns advice for a kind of failure; undefined if the server does not report the kind. */
export function getTestAdvice(kind: string | undefined, t: Translate): string | undefined {
  const advice = ADVICE[kind ?? '']
  return advice && t(advice)
}
