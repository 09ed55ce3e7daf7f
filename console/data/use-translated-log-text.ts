// Translates stored sentences that are in another language than the reader's. Error texts are many, so they are fetched only when a
// text of the other language appears that the log itself does not define, and once the visitor has touched the page.
import { useCallback } from 'react'
import { translateLogText } from '../../core/logs/event-texts.ts'
import { createFailureTranslator, type TranslateFailure } from '../../core/logs/sentence-matcher.ts'
import { createSharedValue, useSharedValue } from './page-state.ts'
import { useLanguage } from './texts.tsx'
import { useTouched } from './touched.ts'

const translator = createSharedValue<TranslateFailure | undefined>(undefined)
// The browser loads the texts once for all components, so the promise belongs to the module.
let pending: Promise<void> | undefined

const FOREIGN = { en: /[\u3400-\u9fff]/, zh: /[A-Za-z]{3}/ } as const

async function fetchWords(): Promise<void> {
  try {
    const { failureTextsByCode } = await import('./failure-words.built.ts')
    translator.set(createFailureTranslator(failureTextsByCode))
  } catch {
    // The text stays as it was stored; the next rendering tries again.
    pending = undefined
  }
}

/** Returns a stored sentence in the reader's language. Texts of other origins stay unchanged. */
export function useTranslatedLogText(): (text: string) => string {
  const { language } = useLanguage()
  const isTouched = useTouched()
  const translate = useSharedValue(translator)
  return useCallback(
    (text) => {
      const translated = translateLogText(text, language, translate)
      if (!FOREIGN[language].test(translated)) return translated
      if (!translate && isTouched) pending ??= fetchWords()
      return translate?.(translated, language) ?? translated
    },
    [translate, language, isTouched],
  )
}
