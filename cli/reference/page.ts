// The type of a reference page, and pieces of Markdown for it.
import type { Language } from '../../core/errors.ts'
import type { CommandEntry } from '../command.ts'
import type { BilingualText } from '../language.ts'

/** The topics of the pages. Each page is loaded on request, because together they load every declaration. */
export const referenceTopics = ['endpoints', 'settings', 'configuration', 'errors', 'commands'] as const

export interface ReferencePage {
  topic: (typeof referenceTopics)[number]
  summary: BilingualText
  /** Returns the whole page as Markdown. */
  write(commands: readonly CommandEntry[], language: Language): string
}

/** Formats a Markdown table. */
export function formatMarkdownTable(titles: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(titles), `| ${titles.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n')
}

/** Formats any text as Markdown code. */
export const formatMarkdownCode = (text: string) =>
  text === '' ? '' : text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``

const cell = (text: string) => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
