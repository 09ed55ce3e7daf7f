// Every maker that the tests play.
import { anthropicMaker } from './anthropic.ts'
import { geminiMaker } from './gemini.ts'
import type { Maker } from './maker.ts'
import { openaiMaker } from './openai.ts'

export const makers: Maker[] = [openaiMaker, anthropicMaker, geminiMaker]
