// Declares the texts of the terminal. Their Chinese is in `locales/zh` here; core/texts.ts describes how texts are declared.
import { createWords } from '../core/texts.ts'

/** Declares a text of the terminal. */
export const words = createWords(new URL('../cli/locales/', import.meta.url))
