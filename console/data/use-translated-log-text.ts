// Translates stored sentences that are in another language than the reader's. Error texts are many, so they are fetched
// only when a text of the other language appears that the log itself does not define.
import { useCallback, useSyncExternalStore } from 'react'
import { translateLogText } from '../../core/logs/event-texts.ts'
import { createFailureTranslator, type TranslateFailure } from '../../core/logs/sentence-matcher.ts'
import { useLanguage } from './texts.tsx'

let translator: TranslateFailure | undefined
let pending: Promise<void> | undefined
const watchers = new Set<() => void>()

const FOREIGN = { en: /[\u3400-\u9fff]/, zh: /[A-Za-z]{3}/ } as const

async function fetchWords(): Promise<void> {
  try {
    translator = createFailureTranslator((await import('./failure-words.built.ts')).failureTextsByCode)
    watchers.forEach((watcher) => watcher())
  } catch {
    // The text stays as it was stored; the next rendering tries again.
    pending = undefined
  }
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** Returns a stored sentence in the reader's language. Texts of other origins stay unchanged. */
export function useTranslatedLogText(): (text: string) => string {
  const { language } = useLanguage()
  const translate = useSyncExternalStore(subscribe, () => translator)
  return useCallback(
    (text) => {
      const translated = translateLogText(text, language, translate)
      if (!FOREIGN[language].test(translated)) return translated
      if (!translate) pending ??= fetchWords()
      return translate?.(translated, language) ?? translated
    },
    [translate, language],
  )
}
